import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import type { Database } from './connections.ts';
import { beginNamed, endNamed, SEE_ALL } from './name-organizations.ts';
import { type Queryable, statementOfNone, statementOnEachShard } from './statement.ts';
import { inTransaction } from './transaction.ts';

/** `shared` in ASCII. */
const LOCK = 0x736861726564;
const NAME = /^bestow-[0-9a-f-]{36}$/;

const lockShared = statementOfNone<[lock: number]>('database.lock_shared', 'select pg_advisory_lock($1)');
const unlockShared = statementOfNone<[lock: number]>('database.unlock_shared', 'select pg_advisory_unlock($1)');

export const selectPrepared = statementOfNone<[], { name: string }>(
  'database.select_prepared',
  'select gid as name from pg_prepared_xacts where database = current_database()',
);

const selectMaxPrepared = statementOnEachShard<[], { max_prepared: number }>(
  'database.select_max_prepared',
  'a setting of every server',
  `select current_setting('max_prepared_transactions')::integer as max_prepared`,
);

/** PostgreSQL's default allows no prepared transaction. */
export const SET_PREPARED =
  'Set max_prepared_transactions to 10 on every shard, and restart it: the catalog is written on all or on none.';

/** Whether every shard allows the transactions of two phases that `onEveryShard` needs. */
export const canPrepare = async (shards: readonly Queryable[]): Promise<boolean> =>
  (await selectMaxPrepared(shards, [])).every(({ max_prepared }) => max_prepared > 0);

/** PostgreSQL's code for a transaction that its settings do not let be prepared. */
const NOT_ALLOWED = '55000';

/**
 * Writes tables that are the same on every shard: on all or on none, by a two-phase commit. Without shards it is one
 * transaction.
 *
 * @param write writes the same on each shard it gets, and may write more on one of them
 * @returns the result of each shard
 * @throws OperatorError if a shard allows no prepared transactions; OutcomeUnknown if a server is lost during the commit; with shards the next call finishes it
 */
export async function onEveryShard<Result>(
  { shards }: Pick<Database, 'shards'>,
  write: (client: PoolClient, shard: number) => Promise<Result>,
): Promise<Result[]> {
  const [only] = shards;
  if (only !== undefined && shards.length === 1) return [await inTransaction(only, (client) => write(client, 0))];
  return await withAll(shards, async (clients) => {
    const name = `bestow-${randomUUID()}`;
    const results: Result[] = [];
    try {
      for (const [shard, client] of clients.entries()) {
        beginNamed(client);
        await client.query(`begin; ${SEE_ALL}`);
        results.push(await write(client, shard));
        await client.query(`prepare transaction '${name}'`);
      }
    } catch (error) {
      for (const client of clients) await client.query('rollback');
      await finishPrepared(clients);
      if (errorCode(error) === NOT_ALLOWED && !(await canPrepare(clients))) throw new OperatorError(SET_PREPARED);
      throw error;
    }
    try {
      for (const client of clients) await client.query(`commit prepared '${name}'`);
    } catch (error) {
      throw new OutcomeUnknown('A shard was lost while a change was being committed on all.', { cause: error });
    }
    return results;
  });
}

/** Finishes what a crash left between the two phases. */
export const finishShared = ({ shards }: Pick<Database, 'shards'>): Promise<void> =>
  withAll(shards, async () => undefined);

/** Gives the act a connection to each shard, one act at a time, after it has finished earlier ones. */
async function withAll<Result>(
  shards: Database['shards'],
  act: (clients: PoolClient[]) => Promise<Result>,
): Promise<Result> {
  const clients: PoolClient[] = [];
  let failure: Error | undefined;
  try {
    for (const shard of shards) clients.push(await shard.connect());
    const first = clients[0] as PoolClient;
    await lockShared(first, [LOCK]);
    try {
      await finishPrepared(clients);
      return await act(clients);
    } finally {
      await unlockShared(first, [LOCK]);
    }
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    for (const client of clients) {
      endNamed(client);
      client.release(failure);
    }
  }
}

/**
 * Prepares and commits begin with the first shard, and rollbacks end with it. So a transaction that the first
 * shard no longer has was committed there, and one that it still has was committed nowhere.
 */
async function finishPrepared(clients: readonly PoolClient[]): Promise<void> {
  const prepared = await Promise.all(clients.map((client) => selectPrepared(client, [])));
  const names = new Set(prepared.flat().map(({ name }) => name));
  for (const name of [...names].filter((each) => NAME.test(each))) {
    const holders = clients.filter((_, n) => prepared[n]?.some((row) => row.name === name));
    if (holders[0] === clients[0])
      for (const client of holders.toReversed()) await client.query(`rollback prepared '${name}'`);
    else for (const client of holders) await client.query(`commit prepared '${name}'`);
  }
}
