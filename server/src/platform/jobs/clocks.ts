import type { Pool } from 'pg';
import type { Database } from '../database/connections.ts';
import type { Queryable } from '../database/statement.ts';
import * as queries from './clock-queries.ts';

/** The databases whose clocks count: of `database.servers`, then that of people if it is separate. */
export const databasesWithClocks = ({
  servers,
  shards,
  home,
}: Pick<Database, 'servers' | 'shards' | 'home'>): Pool[] => [
  ...servers.map(({ pool }) => pool),
  ...(shards.includes(home) ? [] : [home]),
];

/**
 * The operator's word that the servers' clocks are right: the work by the clock goes on from now, after a leap of the time.
 *
 * @returns the time of each database server
 */
export async function acceptTime(database: Pick<Database, 'servers' | 'shards' | 'home'>): Promise<Date[]> {
  const accepted = await Promise.all(databasesWithClocks(database).map((each) => queries.acceptTime(each, [])));
  return accepted.flatMap((rows) => rows.map(({ done_until }) => done_until));
}

/** What the processes of the last three minutes found of their own clocks, in a database. */
export const listProcessClocks = (database: Queryable): Promise<queries.ProcessClock[]> =>
  queries.selectOffsets(database, []);

/** How long ago, by the server's clock, the work by the clock went; below 0 after a time ahead. Undefined before the first. */
export async function clockWorkBehindMs(database: Queryable): Promise<number | undefined> {
  const [row] = await queries.selectClockWork(database, []);
  return row?.done_until ? row.now.getTime() - row.done_until.getTime() : undefined;
}
