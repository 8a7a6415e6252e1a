import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { selectPrepared } from '../../platform/database/on-every-shard.ts';
import { checkDatabase, checkWrite } from './check-database.ts';
import { type Finding, fault, ok } from './finding.ts';
import * as queries from './queries.ts';

/** Checks each database server, and what the shards must agree on. */
export async function checkServers(config: Config, database: Database, clock: Clock): Promise<Finding[]> {
  const { shards } = database;
  const found: Finding[] = [];
  for (const [index, shard] of shards.entries()) {
    const ofOne = [...(await checkDatabase(config, shard, clock)), ...(await checkWrite(shard))];
    if (shards.length === 1) return ofOne;
    found.push(...ofOne.map((finding) => ({ ...finding, check: `${finding.check} of shard ${index + 1}` })));
  }
  return found;
}

/** @param database migrated */
export async function checkShards(database: Database): Promise<Finding[]> {
  const { shards } = database;
  if (shards.length === 1) return [];
  const prepared = (await Promise.all(shards.map((shard) => selectPrepared(shard, [])))).flat();
  const limits = await queries.selectMaxPrepared(shards, []);
  const contents = new Set((await queries.selectShared(shards, [])).map(({ content }) => content));
  return [
    await checkRouter(database),
    limits.every(({ max_prepared }) => max_prepared > 0)
      ? ok('max_prepared_transactions', 'set on every shard')
      : fault(
          'max_prepared_transactions',
          '0',
          'Set it to 10 on every shard: the catalog is written on all or on none.',
        ),
    prepared.length === 0
      ? ok('changes of all shards', 'finished')
      : fault('changes of all shards', `${prepared.length} unfinished`, 'Run: bestow org list. It finishes them.'),
    contents.size === 1
      ? ok('catalog and earlier keys', 'the same on every shard')
      : fault('catalog and earlier keys', 'differ', 'Copy categories and earlier_keys from the shard that is right.'),
  ];
}

/** Whether the router sends the latest organization of each shard to that shard. */
async function checkRouter({ shards, laneOf }: Database): Promise<Finding> {
  const advice = 'Write DATABASE_SHARDS in the order of the router’s shards, and let it hash organization_id.';
  for (const [index, shard] of shards.entries()) {
    const [latest] = await queries.selectLatestOrganization([shard], []);
    if (latest === undefined) continue;
    const id = latest.organization_id;
    const [found] = await queries.selectRouted(laneOf(id).read, [id]);
    if (found === undefined) return fault('router', `does not find the organizations of shard ${index + 1}`, advice);
  }
  return ok('router', 'finds the organizations of each shard');
}
