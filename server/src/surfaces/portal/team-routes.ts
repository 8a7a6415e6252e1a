import { Type } from 'typebox';
import { removeTeam } from '../../core/caps/remove-team.ts';
import type { Deps } from '../../core/deps.ts';
import { createTeam, listTeams, renameTeam } from '../../core/organizations/teams.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Name } from '../../platform/api/schema.ts';

const Team = Type.Object(
  { team_id: Type.String(), name: Type.String(), members: Type.Integer({ description: 'Active ones.' }) },
  { $id: 'Team' },
);

const TeamInput = Type.Object({ name: Name });

const PATH = '/organizations/{organization_id}/teams';
const ONE = `${PATH}/{team_id}` as const;

/** Teams of members. */
export function teamRoutes(register: Register, deps: Deps): void {
  const changing = { tag: 'Members', access: 'member', needs: 'members' } as const;

  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listTeams',
      tag: 'Members',
      summary: 'The teams by name.',
      access: 'member',
      response: Type.Object({ data: Type.Array(Team) }),
    },
    async ({ member }) => {
      const teams = await listTeams(deps, member.organizationId);
      return { data: teams.map(({ created_at: _, ...team }) => team) };
    },
  );

  register(
    {
      ...changing,
      method: 'POST',
      path: PATH,
      operationId: 'createTeam',
      summary: 'Adds a team.',
      body: TeamInput,
      response: Type.Object({ team_id: Type.String() }),
    },
    async ({ body: { name }, member: { organizationId, actor } }) => {
      const { team_id } = await createTeam(deps, { organizationId, name, actor });
      return { team_id };
    },
  );

  register(
    { ...changing, method: 'PUT', path: ONE, operationId: 'renameTeam', summary: 'Renames a team.', body: TeamInput },
    async ({ params, body: { name }, member: { organizationId, actor } }) => {
      await renameTeam(deps, { organizationId, teamId: params.team_id, name, actor });
    },
  );

  register(
    {
      ...changing,
      method: 'DELETE',
      path: ONE,
      operationId: 'removeTeam',
      summary: 'Removes a team with its limits; its members stay, without a team.',
    },
    async ({ params, member: { organizationId, actor } }) => {
      await removeTeam(deps, { organizationId, teamId: params.team_id, actor });
    },
  );
}
