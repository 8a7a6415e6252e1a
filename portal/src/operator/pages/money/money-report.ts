import type { components } from '../../api/schema.d.ts';

export type Money = components['schemas']['Money'];
