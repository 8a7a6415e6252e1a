import { decodeId } from '../../platform/base/ids.ts';
import type { Deps } from '../deps.ts';
import { type ChangedMember, changeMember, type MemberChange } from './change-member.ts';
import { updateTeamOf } from './queries.ts';
import { requireTeam } from './teams.ts';

/**
 * Puts a member into a team, or into none; does nothing if they are in it. Emails all admins, because the team’s limits hold for its
 * members. What they sent before counts for no other team.
 *
 * @param input `teamId`: `team_…`; null: no team
 * @throws BestowError `resource_missing` if there is no such team
 * @throws OperatorError if the organization or the member does not exist
 */
export async function setTeam(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { teamId, ...input }: MemberChange & { teamId: string | null },
): Promise<ChangedMember> {
  const uuid = teamId === null ? null : decodeId('team', teamId);
  let name: string | null = null;
  return changeMember(
    deps,
    { ...input, keepsAdmin: false },
    {
      isDone: (member) => member.team_id === uuid,
      async apply(client, { organization_id, member_id }) {
        const team = teamId === null ? undefined : await requireTeam(client, organization_id, teamId);
        name = team?.name ?? null;
        return updateTeamOf(client, [organization_id, member_id, team?.team_id ?? null]);
      },
      event: ({ email }) => ({ action: 'member.team_set', details: { email, team: name } }),
      alert: 'team_changed',
    },
  );
}
