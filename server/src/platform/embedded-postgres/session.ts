import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { errorCode, errorMessage } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import { type ConnectionTarget, clientConfig } from '../database/connections.ts';

export type Role = 'server' | 'command';

/** `absent`: nothing listens; `busy`: PostgreSQL is starting, recovering or stopping. */
type NoSession = 'absent' | 'busy';

/**
 * Locks that count the users of the embedded PostgreSQL. They are taken in the database `postgres`, so that they never
 * meet those of the service, and PostgreSQL releases them when the process dies.
 */
const USERS_LOCK = 1;
const SERVER_LOCK = 2;

/** How long the session of a server that was killed may take to end. */
const SERVER_LOCK_ATTEMPTS = 10;
const SERVER_LOCK_PAUSE_MS = 100;

const ABSENT_CODES = ['ENOENT', 'ECONNREFUSED'];
/** Starting or stopping, too many connections, and a connection that ended during start-up. */
const BUSY_CODES = ['57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'EPIPE', undefined];

/** @throws OperatorError if PostgreSQL answers but refuses for good */
export async function openSession(target: ConnectionTarget, role: Role): Promise<Client | NoSession> {
  const client = new Client({
    ...clientConfig({ ...target, database: 'postgres' }, 0),
    application_name: `bestow ${role} ${process.pid}`,
  });
  client.on('error', () => {
    // The user of the session handles `end`.
  });
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = errorCode(error);
    if (code !== undefined && ABSENT_CODES.includes(code)) return 'absent';
    if (BUSY_CODES.includes(code)) return 'busy';
    throw new OperatorError(`The embedded PostgreSQL refuses Bestow: ${errorMessage(error)}.`);
  }
}

async function takeLock(client: Client, call: string): Promise<boolean> {
  const { rows } = await client.query<{ gained: boolean }>(`select ${call} as gained`);
  return rows[0]?.gained === true;
}

/**
 * Counts this process among the users; false where PostgreSQL is about to be stopped.
 *
 * @throws OperatorError if another server uses the data directory
 */
export async function claimSession(client: Client, role: Role, dataDir: string): Promise<boolean> {
  if (!(await takeLock(client, `pg_try_advisory_lock_shared(${USERS_LOCK})`))) return false;
  if (role === 'command') return true;
  for (let attempt = 1; ; attempt += 1) {
    if (await takeLock(client, `pg_try_advisory_lock(${SERVER_LOCK})`)) return true;
    if (attempt === SERVER_LOCK_ATTEMPTS) break;
    await sleep(SERVER_LOCK_PAUSE_MS);
  }
  const pid = await findServerPid(client);
  throw new OperatorError(
    `Another Bestow server${pid ? ` (process ${pid})` : ''} is running on DATA_DIR ${dataDir}; stop it, or set another DATA_DIR for this one.`,
  );
}

async function findServerPid(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select activity.application_name as name
     from pg_locks join pg_stat_activity as activity using (pid)
     where locktype = 'advisory' and classid = 0 and objid = ${SERVER_LOCK} and objsubid = 1 and granted`,
  );
  return /^bestow server (\d+)$/.exec(rows[0]?.name ?? '')?.[1];
}

/** Removes this process from the users. Returns true for the last user; then no process can join until the session ends. */
export async function leaveSession(client: Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_all()');
  return await takeLock(client, `pg_try_advisory_lock(${USERS_LOCK})`);
}
