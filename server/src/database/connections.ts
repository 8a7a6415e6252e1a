import { type ClientConfig, Pool, type PoolClient, type QueryConfig, type QueryResultRow, types } from 'pg';
import { commitError } from './lost-commit.ts';
import { createPipelinedReader } from './pipelined-reader.ts';
import { isReadOnly, requireChanges, verifyChanges } from './read-only.ts';
import { type Queryable, statement } from './statement.ts';

/**
 * Where PostgreSQL is, and how to get there; `host` may be a socket directory. `options` are settings of the session, as
 * `-c name=value`. No URL, which for `pg` wins over all that stands beside it.
 */
export type ConnectionTarget = Pick<
  ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'sslnegotiation' | 'client_encoding' | 'options'
>;

const INT8_OID = 20;
const TIMESTAMPTZ_OID = 1184;
const CONNECT_TIMEOUT_MS = 2_000;

/** `bigint` as a number: the largest balance is far below 2^53, and anything above it is an error, never a rounded cent. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number.`);
  return value;
}

/**
 * «2026-11-21 12:00:00.123456+00», as PostgreSQL writes the time of a session in UTC. A page of gifts holds thirty, and the
 * library's own parser takes 1.1 µs for each, this 0.2.
 */
function parseTimestamp(text: string): Date {
  const { length } = text;
  const isPlain =
    text[0] !== '0' && text[4] === '-' && text[10] === ' ' && length >= 22 && length <= 29 && text.endsWith('+00');
  if (!isPlain) return types.getTypeParser(TIMESTAMPTZ_OID, 'text')(text);
  const digit = (index: number) => text.charCodeAt(index) - 48;
  const two = (index: number) => digit(index) * 10 + digit(index + 1);
  let ms = 0;
  // The offset ends the text, and fewer than three digits of a second are its tenths and hundredths.
  for (let index = 20, weight = 100; index < length - 3 && weight >= 1; index += 1, weight /= 10)
    ms += digit(index) * weight;
  return new Date(Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), ms));
}

const parsers: Record<number, (text: string) => unknown> = {
  [INT8_OID]: parseBigint,
  [TIMESTAMPTZ_OID]: parseTimestamp,
};

export function clientConfig(target: ConnectionTarget, statementTimeoutMs: number): ClientConfig {
  return {
    ...target,
    application_name: 'bestow',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    // A session that lost its owner between two statements of a transaction must not hold its locks.
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format: 'text' | 'binary') =>
        parsers[oid] ?? types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
    },
  };
}

export interface Database {
  /** Single-statement reads and background updates; no transactions. */
  read: Queryable;
  /**
   * Single statements that change a gift for a caller, and so may wait for its lock: on the connection of the reads all
   * others would wait behind them. One that waits for longer than half a second fails with SQLSTATE 55P03.
   */
  change: Queryable;
  /** Its connections. */
  changes: Pool;
  /** Short transactions of several statements. */
  pool: Pool;
  /** Only placing orders: its connections are never held by anything else. */
  placement: Pool;
  /** What is read from now on is read over a new connection. */
  renewRead(): void;
  close(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 10_000;
/** Reading a page and placing a batch take milliseconds; what hangs is refused within two seconds. */
const SHORT_STATEMENT_TIMEOUT_MS = 1_600;
/** PostgreSQL ends a statement that takes too long; this ends the wait for one that has stopped answering at all. */
const SHORT_ANSWER_TIMEOUT_MS = 5_000;
const MAX_READS_UNDER_WAY = 10_000;
/**
 * One plan for all parameters. Left to itself PostgreSQL plans each page of a list anew, because without the page's limit it
 * expects to read a tenth of all rows: 0.24 ms instead of 0.08 for ten gifts, and more the more there are (bench/NOTES.md).
 */
const KEPT_PLANS = '-c plan_cache_mode=force_generic_plan';
const MOST_CHANGES_AT_ONCE = 8;
const POOL_CONNECTIONS = 8;
/** A lock is held for as long as a commit takes; what holds one for longer holds it for seconds. */
const LOCK_TIMEOUT_MS = 500;
/**
 * Two commits at a time: one writes while the other is flushed. More gained nothing on two cores, unless each order is
 * placed alone.
 */
export const placementConnections = (orderBatch: number) => (orderBatch === 1 ? 8 : 2);
/** Of pools that are opened elsewhere. */
export const JOB_CONNECTIONS = 4;
export const SIGN_IN_CONNECTIONS = 4;
/** Most connections of one server; a worker takes fewer. */
export const mostConnections = (orderBatch: number) =>
  POOL_CONNECTIONS +
  MOST_CHANGES_AT_ONCE +
  placementConnections(orderBatch) +
  JOB_CONNECTIONS +
  SIGN_IN_CONNECTIONS +
  // The reads.
  1;

interface DatabaseOptions {
  /** Most orders in one statement. */
  orderBatch?: number;
  /** Whether no session is kept that may only read; using one then fails with ReadOnlyDatabase. */
  requiresChanges?: boolean;
}

/** @param onError told of a connection that was lost while idle; the next use connects anew */
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
  giveUpSingleStatements(pool);
  const changes = new Pool({ ...short, lock_timeout: LOCK_TIMEOUT_MS, max: MOST_CHANGES_AT_ONCE });
  const placement = new Pool({ ...short, max: placementConnections(orderBatch ?? 2), idleTimeoutMillis: 0 });
  let isClosing = false;
  const report = (error: Error) => {
    // Pools are ended before their sockets are closed: PostgreSQL may stop first, and that is nobody's loss.
    if (!isClosing) onError(error);
  };
  for (const each of [pool, changes, placement]) {
    each.on('error', report);
    // A connection that is lost while it is lent says so twice: to its query, and in an event that nobody else hears.
    each.on('connect', (client) => client.on('error', report));
    each.on('release', (error) => {
      if (isReadOnly(error)) read.renew();
    });
  }
  return {
    read,
    change: { query: (query) => runAlone(changes, query) },
    changes,
    pool,
    placement,
    renewRead: read.renew,
    close: async () => {
      isClosing = true;
      await Promise.all([read.end(), changes.end(), pool.end(), placement.end()]);
    },
  };
}

/** Longer than a statement may take. PostgreSQL ends those; this ends the wait for a network that has stopped. */
const ANSWERED_WITHIN_MS = 12_000;

/** The pool's statements outside of transactions, which have limits of their own. */
function giveUpSingleStatements(pool: Pool): void {
  const query = pool.query.bind(pool) as Queryable['query'];
  const limited = (asked: QueryConfig | string, values: unknown[] = []) => {
    const config = typeof asked === 'string' ? { text: asked, values } : asked;
    return query({ ...config, query_timeout: ANSWERED_WITHIN_MS } as QueryConfig);
  };
  pool.query = limited as Pool['query'];
}

/** One statement; its connection is kept where it was only refused, as by a lock's time-out. */
async function runAlone<Row extends QueryResultRow>(pool: Pool, query: QueryConfig): Promise<{ rows: Row[] }> {
  const client = await pool.connect();
  try {
    const result = await client.query<Row>(query);
    client.release();
    return result;
  } catch (error) {
    const thrown = await commitError(error, client);
    client.release(thrown === error && !isReadOnly(error) ? undefined : (thrown as Error));
    throw thrown;
  }
}

const waitBriefly = statement<[milliseconds: string], { set_config: string }>(
  'database.wait_briefly_for_locks',
  `select set_config('lock_timeout', $1, true)`,
);

/** For the rest of the transaction: a lock that is not there within half a second fails with SQLSTATE 55P03. */
export const waitBrieflyForLocks = (client: PoolClient) => waitBriefly(client, [String(LOCK_TIMEOUT_MS)]);

/** For an operator's act that takes as long as there are rows; the longest that a timer can be. */
export const UNTIL_IT_IS_DONE = 2 ** 31 - 1;

/**
 * Runs the act between `begin` and `commit`; an error rolls all of it back.
 *
 * @param withinMs milliseconds until its connection is given up, and with it whatever was not committed
 * @throws OutcomeUnknown where the connection is lost or given up at the commit
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
  // Ends the connection: what is under way on it fails, and what comes after it too.
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
    // A connection that cannot even roll back, or can only read, is of no use to the next one.
    release(broken);
  }
}
