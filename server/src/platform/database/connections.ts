import { type ClientConfig, Pool, type PoolConfig, types } from 'pg';
import { keepConnected } from './keep-connected.ts';
import type { LogPosition } from './look-at-history.ts';
import { nameOrganizations } from './name-organizations.ts';
import { parseTimestamp, TIMESTAMPTZ_OID } from './parse-timestamp.ts';
import { createPipelinedReader } from './pipelined-reader.ts';
import { isReadOnly } from './read-only.ts';
import { ServerHistory } from './server-history.ts';
import { sessionOptions } from './session-settings.ts';
import type { Queryable } from './statement.ts';
import { alone, limitSingleStatements } from './transaction.ts';
import { commitMessage, tryWrite } from './try-write.ts';
import { withConnection } from './with-connection.ts';

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

const parsers = new Map<number, (text: string) => unknown>([
  [INT8_OID, parseBigint],
  [TIMESTAMPTZ_OID, parseTimestamp],
]);

export function clientConfig(target: ConnectionTarget, statementTimeoutMs: number): ClientConfig {
  return {
    ...target,
    options: sessionOptions(target),
    application_name: 'bestow',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    // A session whose process is gone must not keep its locks.
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format: 'text' | 'binary') =>
        parsers.get(oid) ?? types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
    },
  };
}

/** Connections for the organizations of one server. */
export interface Lane {
  /** Single-statement reads and background updates; no transactions. */
  read: Queryable;
  /**
   * Single statements that change a gift for a caller and may wait for its lock. They fail with SQLSTATE 55P03 after half a
   * second.
   */
  change: Queryable;
  /** Like `change`, only for answers to purchases, which must not wait behind changes. */
  purchase: Queryable;
  /** Transactions, by `inOrganization`, and single statements that may take long. */
  pool: Pool;
  /** Only for placing orders. */
  placement: Pool;
}

/**
 * `read`, `change`, `purchase` and `pool` take statements of one organization. Without `DATABASE_SHARDS` there is one
 * server, and every part uses it.
 */
export interface Database {
  read: Queryable;
  change: Queryable;
  purchase: Queryable;
  pool: Queryable;
  laneOf(organizationId: string): Lane;
  /** Reads tables that are the same on every shard. */
  shared: Queryable;
  /** For statements over all organizations: one for each shard, in the order of `DATABASE_SHARDS`. */
  shards: readonly Pool[];
  /** Each shard as a database, for its jobs. */
  servers: readonly OneServer[];
  /** People and their sign-in, the schema `portal`; `pool` unless they have a separate database. */
  home: Pool;
  /** Of the server of people; undefined for commands. */
  homeHistory: ServerHistory | undefined;
  /** Makes the next read open a new connection. */
  renewRead(): void;
  close(): Promise<void>;
}

export type OneServer = Database &
  Lane & {
    /** Undefined for commands. */
    history: ServerHistory | undefined;
    /** Writes on a connection of its own, because the pools may be busy, rolls back, and commits a message. */
    tryWrite(): Promise<void>;
  };

const STATEMENT_TIMEOUT_MS = 10_000;
/** Pages and groups of orders take milliseconds; slow statements must fail within two seconds. */
const SHORT_STATEMENT_TIMEOUT_MS = 1_600;
/** PostgreSQL ends slow statements; these end the wait for a network that has stopped. A read may fail early. */
const READ_TIMEOUT_MS = 1_700;
const SHORT_ANSWER_TIMEOUT_MS = 5_000;
const MAX_READS_UNDER_WAY = 10_000;
/**
 * One plan for all parameters. By default PostgreSQL plans every page of a list again, because without the page's limit it
 * expects to read a tenth of all rows: 0.24 ms instead of 0.08 for ten gifts (bench/NOTES.md).
 */
const KEPT_PLANS = '-c plan_cache_mode=force_generic_plan';
const POOL_CONNECTIONS = 8;
const CHANGE_CONNECTIONS = 6;
const PURCHASE_CONNECTIONS = 6;
const HOME_CONNECTIONS = 4;
/** A lock is normally held for one commit. */
export const LOCK_TIMEOUT_MS = 500;
const BRIEF_LOCKS = `-c lock_timeout=${LOCK_TIMEOUT_MS}`;
/** Two commits at a time: one writes while the other is flushed. More gained nothing on two cores. */
export const placementConnections = (orderBatch: number) => (orderBatch === 1 ? 8 : 2);
/** The connections of pools that other folders open. */
export const JOB_CONNECTIONS = 4;
export const SIGN_IN_CONNECTIONS = 4;
const READ_CONNECTIONS = 1;
/** Most connections of one server; a worker has fewer. */
export const mostConnections = (orderBatch: number) =>
  POOL_CONNECTIONS +
  CHANGE_CONNECTIONS +
  PURCHASE_CONNECTIONS +
  placementConnections(orderBatch) +
  JOB_CONNECTIONS +
  SIGN_IN_CONNECTIONS +
  READ_CONNECTIONS;

export interface DatabaseOptions {
  /** Most orders in one statement. */
  orderBatch?: number;
  /**
   * If true, fails with ReadOnlyDatabase instead of keeping a session that may only read, or whose server was replaced, and
   * watches the history of each server.
   */
  requiresChanges?: boolean;
  /** What earlier processes have seen of servers, by their systems. */
  remembered?: ReadonlyMap<string, LogPosition>;
  /** Undefined if people are in the same database. */
  homeTarget?: ConnectionTarget | undefined;
}

/** @param onError is called when an idle connection is lost; the next use connects again */
export function connectDatabase(
  target: ConnectionTarget,
  onError: (error: Error) => void,
  { orderBatch, requiresChanges = false, remembered = new Map(), homeTarget }: DatabaseOptions = {},
): OneServer {
  const shortAt = (at: ConnectionTarget) => clientConfig(at, SHORT_STATEMENT_TIMEOUT_MS);
  const short = { ...shortAt(target), query_timeout: SHORT_ANSWER_TIMEOUT_MS, pipeline: true };
  const soon = { query_timeout: READ_TIMEOUT_MS, connectionTimeoutMillis: READ_TIMEOUT_MS };
  const reading = { ...short, ...soon, options: sessionOptions(target, KEPT_PLANS) };
  const watch = (at: ConnectionTarget) =>
    requiresChanges ? new ServerHistory({ ...shortAt(at), ...soon }, remembered) : undefined;
  const history = watch(target);
  const homeHistory = homeTarget === undefined ? history : watch(homeTarget);
  const read = createPipelinedReader(reading, MAX_READS_UNDER_WAY, {
    history,
    prepare: (client: object) => nameOrganizations(client, true),
  });
  const openPool = (at: ConnectionTarget, max: number, more: PoolConfig = {}, watched = history) => {
    const pool = new Pool({ ...clientConfig(at, STATEMENT_TIMEOUT_MS), max, ...watched?.poolOptions, ...more });
    watched?.watch(pool);
    return pool;
  };
  const openLimited: typeof openPool = (...asked) => limitSingleStatements(openPool(...asked));
  // Not pipelined: closing a pipelined connection waits for its statements, but a transaction must end in time.
  const pool = openLimited(target, POOL_CONNECTIONS);
  const brief = { options: sessionOptions(target, BRIEF_LOCKS), pipeline: true };
  const change = openLimited(target, CHANGE_CONNECTIONS, brief);
  const purchase = openLimited(target, PURCHASE_CONNECTIONS, brief);
  const home = homeTarget === undefined ? pool : openLimited(homeTarget, HOME_CONNECTIONS, {}, homeHistory);
  const placement = openPool(target, placementConnections(orderBatch ?? 2), { ...short, idleTimeoutMillis: 0 });
  let isClosing = false;
  const report = (error: Error) => {
    // PostgreSQL may stop before the sockets are closed.
    if (!isClosing) onError(error);
  };
  const pools = [...new Set([pool, change, purchase, placement, home])];
  keepConnected(placement, [pool, change, purchase]);
  for (const each of pools) {
    each.on('error', report);
    each.on('connect', (client) => nameOrganizations(client, each !== pool && each !== home));
    // A checked-out client emits `error` as well as rejecting its query; an unhandled event ends the process.
    each.on('connect', (client) => client.on('error', report));
    each.on('release', (error) => {
      if (error !== undefined && isReadOnly(error)) read.renew();
    });
  }
  const lane: Lane = { read, change: alone(change), purchase: alone(purchase), pool, placement };
  const database: OneServer = {
    ...lane,
    laneOf: () => database,
    shared: read,
    shards: [pool],
    servers: [],
    home,
    history,
    homeHistory,
    renewRead: read.renew,
    tryWrite: () =>
      withConnection(shortAt(target), async (client) => {
        await tryWrite(client);
        await commitMessage(client, []);
      }),
    close: async () => {
      isClosing = true;
      history?.close();
      homeHistory?.close();
      await Promise.all([read, ...pools].map((each) => each.end()));
    },
  };
  database.servers = [database];
  return database;
}
