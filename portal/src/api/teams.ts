import { api, ORGANIZATION_PATH, unwrap } from './client.ts';
import type { components } from './schema.d.ts';

export type Team = components['schemas']['Team'];

/** The organization's teams by name. */
export const teamsQuery = (organizationId: string) => ({
  queryKey: ['teams', organizationId] as const,
  queryFn: () =>
    unwrap(api.GET(`${ORGANIZATION_PATH}/teams`, { params: { path: { organization_id: organizationId } } })),
});
