import { removeTeam as remove } from '../organizations/teams.ts';
import { deleteCaps } from './queries.ts';

/** Removes a team with its limits; its members stay, without a team. @throws BestowError `resource_missing` */
export const removeTeam = (...[deps, input]: [Parameters<typeof remove>[0], Parameters<typeof remove>[1]]) =>
  remove(deps, input, async (client, organizationId, teamUuid) => {
    await deleteCaps(client, [organizationId, teamUuid]);
  });
