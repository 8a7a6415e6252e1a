import { type ClientConfig, Pool, type PoolClient, type QueryConfig, types } from 'pg';
import { wrapQuery } from '../base/private-internals.ts';
import { commitError } from './lost-commit.ts';
import { createPipelinedReader } from './pipelined-reader.ts';
import { isReadOnly, requireChanges, verifyChanges } from './read-only.ts';
import { type Queryable, statement } from './statement.ts';

/**
 * Where PostgreSQL is; `host` may be a socket directory. `options` are session settings, as `-c name=value`. Not a URL:
 * `pg` prefers a URL's parameters to all others.
 */
export type ConnectionTarget = Pick<
  ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'sslnegotiation' | 'client_encoding' | 'options'
>;

const INT8_OID = 20;
const CONNECT_TIMEOUT_MS = 2_000;

/** Parses a `bigint` as a number. Balances are far below 2^53; a larger value is an error, never a rounded cent. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number.`);
  return value;
}

export function clientConfig(target: ConnectionTarget, statementTimeoutMs: number): ClientConfig {
  return {
    ...target,
    application_name: 'bestow',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    // A session whose process is gone must not keep its locks.
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format: 'text' | 'binary') =>
        oid === INT8_OID ? parseBigint : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
    },
  };
}

export interface Database {
  /** Single-statement reads and background updates; no transactions. */
  read: Queryable;
  /**
   * Single statements that change a gift for a caller and may wait for its lock. They fail with SQLSTATE 55P03 after half a
   * second.
   */
  change: Queryable;
  /** Short transactions of several statements. */
  pool: Pool;
  /** Only for placing orders. */
  placement: Pool;
  /** Makes the next read open a new connection. */
  renewRead(): void;
  close(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 10_000;
/** Pages and batches of orders take milliseconds; slow statements must fail within two seconds. */
const SHORT_STATEMENT_TIMEOUT_MS = 1_600;
/** PostgreSQL ends slow statements; this ends the wait for a network that has stopped. */
const SHORT_ANSWER_TIMEOUT_MS = 5_000;
const MAX_READS_UNDER_WAY = 10_000;
/**
 * One plan for all parameters. By default PostgreSQL plans every page of a list again, because without the page's limit it
 * expects to read a tenth of all rows: 0.24 ms instead of 0.08 for ten gifts (bench/NOTES.md).
 */
const KEPT_PLANS = '-c plan_cache_mode=force_generic_plan';
const POOL_CONNECTIONS = 12;
/** A lock is normally held for one commit. */
const LOCK_TIMEOUT_MS = 500;
/** Two commits at a time: one writes while the other is flushed. More gained nothing on two cores. */
export const placementConnections = (orderBatch: number) => (orderBatch === 1 ? 8 : 2);
/** Of pools that other folders open. */
export const JOB_CONNECTIONS = 4;
export const SIGN_IN_CONNECTIONS = 4;
const READ_CONNECTIONS = 1;
/** Most connections of one server; a worker has fewer. */
export const mostConnections = (orderBatch: number) =>
  POOL_CONNECTIONS + placementConnections(orderBatch) + JOB_CONNECTIONS + SIGN_IN_CONNECTIONS + READ_CONNECTIONS;

interface DatabaseOptions {
  /** Most orders in one statement. */
  orderBatch?: number;
  /** True fails with ReadOnlyDatabase instead of keeping a session that may only read. */
  requiresChanges?: boolean;
}

/** @param onError is called when an idle connection is lost; the next use connects again */
export function connectDatabase(
  target: ConnectionTarget,
  onError: (error: Error) => void,
  { orderBatch, requiresChanges = false }: DatabaseOptions = {},
): Database {
  const verify = requiresChanges ? verifyChanges : undefined;
  const short = { ...clientConfig(target, SHORT_STATEMENT_TIMEOUT_MS), query_timeout: SHORT_ANSWER_TIMEOUT_MS, verify };
  const reading = { ...short, options: `${target.options ?? ''} ${KEPT_PLANS}` };
  const read = createPipelinedReader(reading, MAX_READS_UNDER_WAY, requiresChanges ? requireChanges : undefined);
  const pool = new Pool({ ...clientConfig(target, STATEMENT_TIMEOUT_MS), max: POOL_CONNECTIONS, verify });
  limitSingleStatements(pool);
  const placement = new Pool({ ...short, max: placementConnections(orderBatch ?? 2), idleTimeoutMillis: 0 });
  let isClosing = false;
  const report = (error: Error) => {
    // PostgreSQL may stop before the sockets are closed.
    if (!isClosing) onError(error);
  };
  for (const each of [pool, placement]) {
    each.on('error', report);
    // A checked-out client emits `error` as well as rejecting its query; an unhandled event ends the process.
    each.on('connect', (client) => client.on('error', report));
    each.on('release', (error) => {
      if (isReadOnly(error)) read.renew();
    });
  }
  return {
    read,
    change: {
      query: (query) =>
        inTransaction(pool, async (client) => {
          await waitBrieflyForLocks(client);
          return await client.query(query);
        }),
    },
    pool,
    placement,
    renewRead: read.renew,
    close: async () => {
      isClosing = true;
      await Promise.all([read.end(), pool.end(), placement.end()]);
    },
  };
}

/** Longer than the statement time-out; ends the wait for a network that has stopped. */
const ANSWERED_WITHIN_MS = 12_000;

/** Limits the pool's statements outside of transactions, which have their own limits. */
function limitSingleStatements(pool: Pool): void {
  wrapQuery(pool, (query) => (asked, values = []) => {
    const config = typeof asked === 'string' ? { text: asked, values } : (asked as QueryConfig);
    return query({ ...config, query_timeout: ANSWERED_WITHIN_MS });
  });
}

const waitBriefly = statement<[milliseconds: string], { set_config: string }>(
  'database.wait_briefly_for_locks',
  `select set_config('lock_timeout', $1, true)`,
);

/** Makes the rest of the transaction fail with SQLSTATE 55P03 if it waits half a second for a lock. */
export const waitBrieflyForLocks = (client: PoolClient) => waitBriefly(client, [String(LOCK_TIMEOUT_MS)]);

/** The longest delay of a timer, for an operator's act over all rows. */
export const UNTIL_IT_IS_DONE = 2 ** 31 - 1;

/**
 * Runs the act between `begin` and `commit`; an error rolls all of it back.
 *
 * @param withinMs milliseconds until the connection is closed, which rolls the transaction back
 * @throws OutcomeUnknown if the connection is lost or closed during the commit
 */
export async function inTransaction<Result>(
  pool: Pool,
  act: (client: PoolClient) => Promise<Result>,
  withinMs = ANSWERED_WITHIN_MS,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let release = (error?: Error) => {
    release = () => undefined;
    client.release(error);
  };
  // Closes the connection, which fails the current and every later statement.
  const giveUp = setTimeout(() => release(new Error('The transaction was given up.')), withinMs);
  try {
    await client.query('begin');
    const result = await act(client);
    await client.query('commit').catch(async (error: unknown) => {
      throw await commitError(error, client);
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
    // Closes a connection that cannot roll back or may only read.
    release(broken);
  }
}
