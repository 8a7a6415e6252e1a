import type { Deps } from '../deps.ts';
import { alertAdmins } from '../organizations/alert-admins.ts';
import { removeTeam as remove } from '../organizations/teams.ts';
import { deleteCaps } from './queries.ts';

/**
 * Removes a team with its limits, and emails all admins if it had some; its members stay, without a team.
 *
 * @throws BestowError `resource_missing`
 */
export const removeTeam = (
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>,
  input: Parameters<typeof remove>[1],
) =>
  remove(deps, input, async (client, organizationId, { team_id, name }) => {
    const limits = await deleteCaps(client, [organizationId, team_id]);
    if (limits.length === 0) return;
    const organization = { organization_id: organizationId };
    await alertAdmins(client, deps, { organization, change: 'limits_raised', about: name, actor: input.actor });
  });
