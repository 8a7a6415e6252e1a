import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import { wrapQuery } from '../base/private-internals.ts';
import { commitError, rethrow } from './lost-commit.ts';
import { beginNamed, endNamed, SEE_ALL } from './name-organizations.ts';
import { isReadOnly } from './read-only.ts';
import { historyOf, withHistory } from './server-history.ts';
import type { Queryable } from './statement.ts';

/** Longer than the statement time-out; ends the wait for a network that has stopped. */
const ANSWERED_WITHIN_MS = 12_000;

/** Limits the pool's statements outside of transactions, which have their own limits. */
export function limitSingleStatements(pool: Pool): Pool {
  wrapQuery(pool, (query) => (asked, values = []) => {
    const config = typeof asked === 'string' ? { text: asked, values } : (asked as QueryConfig);
    return query({ ...config, query_timeout: ANSWERED_WITHIN_MS });
  });
  return pool;
}

/** Runs each statement as its own transaction. */
export const alone = (pool: Pool): Queryable => ({ query: (query) => commitAlone(pool, query) });

/**
 * Runs a statement that is its own transaction.
 *
 * @throws OutcomeUnknown if the connection is lost while it runs
 */
async function commitAlone<Row extends QueryResultRow>(pool: Pool, query: QueryConfig): Promise<{ rows: Row[] }> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await withHistory(pool, client, () =>
      client.query<Row>({ ...query, query_timeout: ANSWERED_WITHIN_MS } as QueryConfig),
    );
  } catch (error) {
    const thrown = await commitError(error, client);
    if (thrown !== error || isReadOnly(error)) broken = thrown as Error;
    throw thrown;
  } finally {
    client.release(broken);
  }
}

/** The longest delay of a timer, for an operator's act over all rows. */
export const UNTIL_IT_IS_DONE = 2 ** 31 - 1;

/** Begins a transaction that only reads, on one snapshot. */
export const SNAPSHOT_OF_ONE = 'begin isolation level repeatable read, read only';
/** The same over all organizations. */
export const SNAPSHOT = `${SNAPSHOT_OF_ONE}; ${SEE_ALL}`;

/**
 * Runs the act between `begin` and `commit`; an error rolls all of it back. It sees every organization.
 *
 * @param withinMs milliseconds until the connection is closed, which rolls the transaction back
 * @throws OutcomeUnknown if the connection is lost or closed during the commit
 */
export async function inTransaction<Result>(
  pool: Pool,
  act: (client: PoolClient) => Promise<Result>,
  withinMs = ANSWERED_WITHIN_MS,
  begin = `begin; ${SEE_ALL}`,
): Promise<Result> {
  const client = await pool.connect().catch(rethrow);
  let broken: Error | undefined;
  let release = (error?: Error) => {
    release = () => undefined;
    client.release(error);
  };
  // Closes the connection, which fails the current and every later statement.
  const giveUp = setTimeout(() => release(new Error('The transaction was given up.')), withinMs);
  beginNamed(client);
  try {
    await client.query(begin).catch(rethrow);
    const result = await act(client);
    const history = begin.includes('read only') ? undefined : historyOf(pool);
    await (history?.commit(client) ?? client.query('commit')).catch(async (error: unknown) => {
      rethrow(await commitError(error, client));
    });
    return result;
  } catch (error) {
    if (isReadOnly(error)) broken = error as Error;
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    clearTimeout(giveUp);
    endNamed(client);
    // Closes a connection that cannot roll back or may only read.
    release(broken);
  }
}
