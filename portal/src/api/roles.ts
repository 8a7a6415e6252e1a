import { api, ORGANIZATION_PATH, unwrap } from './client.ts';
import type { components } from './schema.d.ts';

export type RoleRow = components['schemas']['RoleRow'];

/** The built-in roles, the organization's own ones, and the words of all permissions. */
export const rolesQuery = (organizationId: string) => ({
  queryKey: ['roles', organizationId] as const,
  queryFn: () =>
    unwrap(api.GET(`${ORGANIZATION_PATH}/roles`, { params: { path: { organization_id: organizationId } } })),
});
