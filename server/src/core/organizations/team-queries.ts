import { statement } from '../../platform/database/statement.ts';

export interface TeamRow {
  team_id: string;
  name: string;
  created_at: Date;
}

const columns = 'team_id, name, created_at';

export const selectTeams = statement<[organizationId: string], TeamRow & { members: number }>(
  'teams.list',
  `select ${columns}, (
     select count(*)::integer from members m
     where m.organization_id = $1 and m.team_id = t.team_id and m.deactivated_at is null) as members
   from teams t where t.organization_id = $1 order by lower(t.name)`,
);

export const selectTeam = statement<[organizationId: string, teamId: string], TeamRow>(
  'teams.select',
  `select ${columns} from teams where organization_id = $1 and team_id = $2`,
);

/** Returns no row if a team has the name. */
export const insertTeam = statement<[organizationId: string, teamId: string, name: string, createdAt: Date], TeamRow>(
  'teams.insert',
  `insert into teams (organization_id, team_id, name, created_at) values ($1, $2, $3, $4)
   on conflict do nothing returning ${columns}`,
);

/** Returns no row if another team has the name. */
export const updateTeam = statement<[organizationId: string, teamId: string, name: string], TeamRow>(
  'teams.update',
  `update teams t set name = $3
   where t.organization_id = $1 and t.team_id = $2 and not exists (
     select from teams o where o.organization_id = $1 and lower(o.name) = lower($3) and o.team_id <> $2)
   returning ${columns}`,
);

/** Its members are in no team then. */
export const leaveTeam = statement<[organizationId: string, teamId: string]>(
  'members.leave_team',
  'update members set team_id = null where organization_id = $1 and team_id = $2',
);

export const deleteTeam = statement<[organizationId: string, teamId: string]>(
  'teams.delete',
  'delete from teams where organization_id = $1 and team_id = $2',
);
