import type { Pool } from 'pg';
import type { Clock } from '../../platform/base/clock.ts';
import { errorMessage } from '../../platform/base/error-code.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { canPrepare, SET_PREPARED, selectPrepared } from '../../platform/database/on-every-shard.ts';
import { attempt } from './attempt.ts';
import { checkDatabase, checkWrite } from './check-database.ts';
import { type Finding, fault, ok } from './finding.ts';
import * as queries from './queries.ts';

/**
 * Checks each database server.
 *
 * @returns also the database without shards that do not answer, so that the other checks go on
 */
export async function checkServers(
  config: Config,
  database: Database,
  clock: Clock,
): Promise<{ found: Finding[]; living: Database }> {
  const { shards, servers } = database;
  const check = async (shard: Pool) => [...(await checkDatabase(config, shard, clock)), ...(await checkWrite(shard))];
  const [only] = shards;
  if (only !== undefined && shards.length === 1)
    return { found: await attempt('PostgreSQL', () => check(only)), living: database };
  const looks = await Promise.allSettled(shards.map(check));
  const found = looks.flatMap((look, index) => {
    const name = (finding: Finding) => ({ ...finding, check: `${finding.check} of shard ${index + 1}` });
    if (look.status === 'fulfilled') return look.value.map(name);
    const advice = 'Start it. Its organizations wait for it; the other checks leave it out.';
    return [name(fault('PostgreSQL', errorMessage(look.reason), advice))];
  });
  const answers = (_: unknown, index: number) => looks[index]?.status === 'fulfilled';
  return { found, living: { ...database, shards: shards.filter(answers), servers: servers.filter(answers) } };
}

/** @param database migrated */
export async function checkShards(database: Database): Promise<Finding[]> {
  const { shards } = database;
  if (shards.length === 1) return [];
  const prepared = (await Promise.all(shards.map((shard) => selectPrepared(shard, [])))).flat();
  const contents = new Set((await queries.selectShared(shards, [])).map(({ content }) => content));
  return [
    (await canPrepare(shards))
      ? ok('max_prepared_transactions', 'set on every shard')
      : fault('max_prepared_transactions', '0', SET_PREPARED),
    prepared.length === 0
      ? ok('changes of all shards', 'finished')
      : fault('changes of all shards', `${prepared.length} unfinished`, 'Run: bestow org list. It finishes them.'),
    contents.size === 1
      ? ok('catalog and earlier keys', 'the same on every shard')
      : fault('catalog and earlier keys', 'differ', 'Copy categories and earlier_keys from the shard that is right.'),
  ];
}
