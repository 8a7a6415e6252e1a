import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent, type TakenOrganizationAction } from './actions.ts';
import { lockOrganization } from './lock-organization.ts';
import * as queries from './team-queries.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** team of members */
    team: true;
  }
}

type TeamDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

const MOST_TEAMS = 200;

/** Members who see what the others of them send, with a limit for all of them if there is one. */
export interface Team {
  team_id: string;
  name: string;
  created_at: Date;
}

interface TeamChange {
  /** UUID. */
  organizationId: string;
  actor: Actor;
}

/** Lists teams by name, and how many active members each has. @param organizationId UUID */
export async function listTeams({ database }: Pick<Deps, 'database'>, organizationId: string) {
  const rows = await queries.selectTeams(database.read, [organizationId]);
  return rows.map((row) => ({ ...present(row), members: row.members }));
}

/** @throws OperatorError if another team has the name, or there are two hundred */
export const createTeam = (deps: TeamDeps, { name, ...input }: TeamChange & { name: string }): Promise<Team> =>
  change(deps, input, async (client, organizationId) => {
    if ((await queries.selectTeams(client, [organizationId])).length >= MOST_TEAMS)
      throw new OperatorError(`An organization has at most ${MOST_TEAMS} teams. Remove one first.`);
    const now = new Date(deps.clock.now());
    const [row] = await queries.insertTeam(client, [organizationId, deps.ids.next(), name, now]);
    if (row === undefined) throw nameTaken(name);
    return { row, event: { action: 'team.created', details: { name } } };
  });

/** @throws BestowError `resource_missing` @throws OperatorError if another team has the name */
export const renameTeam = (deps: TeamDeps, { teamId, name, ...input }: TeamChange & { teamId: string; name: string }) =>
  change(deps, input, async (client, organizationId) => {
    const before = await requireTeam(client, organizationId, teamId);
    if (before.name === name) return { row: before };
    const [row] = await queries.updateTeam(client, [organizationId, before.team_id, name]);
    if (row === undefined) throw nameTaken(name);
    return { row, event: { action: 'team.renamed', details: { name, before: before.name } } };
  });

/**
 * Removes a team; its members stay, without a team.
 *
 * @param deleteMore deletes what else is of the team, in the same transaction
 * @throws BestowError `resource_missing`
 */
export const removeTeam = (
  deps: TeamDeps,
  { teamId, ...input }: TeamChange & { teamId: string },
  deleteMore: (client: PoolClient, organizationId: string, team: queries.TeamRow) => Promise<void>,
) =>
  change(deps, input, async (client, organizationId) => {
    const row = await requireTeam(client, organizationId, teamId);
    await queries.leaveTeam(client, [organizationId, row.team_id]);
    await deleteMore(client, organizationId, row);
    await queries.deleteTeam(client, [organizationId, row.team_id]);
    return { row, event: { action: 'team.removed', details: { name: row.name } } };
  });

/** @param organizationId UUID @throws BestowError `resource_missing` */
export async function requireTeam(client: PoolClient, organizationId: string, id: string): Promise<queries.TeamRow> {
  const uuid = decodeId('team', id);
  const [row] = uuid === undefined ? [] : await queries.selectTeam(client, [organizationId, uuid]);
  if (row === undefined) throw new BestowError('resource_missing');
  return row;
}

async function change(
  deps: TeamDeps,
  { organizationId, actor }: TeamChange,
  act: (
    client: PoolClient,
    organizationId: string,
  ) => Promise<{ row: queries.TeamRow; event?: TakenOrganizationAction }>,
): Promise<Team> {
  return inOrganization(deps.database, organizationId, async (client) => {
    await lockOrganization(client, organizationId);
    const { row, event } = await act(client, organizationId);
    if (event !== undefined)
      await recordEvent(client, deps, actor, { organizationId, target: encodeId('team', row.team_id), ...event });
    return present(row);
  });
}

const nameTaken = (name: string) => new OperatorError(`A team is called “${name}” already.`);

const present = ({ team_id, name, created_at }: queries.TeamRow): Team => ({
  team_id: encodeId('team', team_id),
  name,
  created_at,
});
