import type { components } from './schema.d.ts';

export type Permission = components['schemas']['RoleRow']['permissions'][number];

/** As the server has it: what changes nothing stays possible while an organization is suspended. */
const reading: readonly Permission[] = ['gifts', 'others', 'people', 'money', 'activity', 'integrations'];

export const isReading = (permission: Permission): boolean => reading.includes(permission);
