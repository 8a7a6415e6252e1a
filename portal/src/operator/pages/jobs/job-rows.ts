import type { components } from '../../api/schema.d.ts';

export type Work = components['schemas']['Work'];

export const modeName = (environment: 'live' | 'sandbox') => (environment === 'live' ? 'Live' : 'Sandbox');
