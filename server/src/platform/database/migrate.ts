import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import { type ConnectionTarget, clientConfig } from './connections.ts';
import { requireChanges } from './read-only.ts';
import { applyRowSecurity } from './row-security.ts';
import { tableHolders } from './table-holders.ts';
import { withConnection } from './with-connection.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);
/** For databases of commit 3f6a82d and of those after it, until they have the initial schema. */
const EARLIER = new URL('./migrations/earlier/', import.meta.url);
/** The last migration of that commit. */
const LAST_OF_RECOGNIZED = '000170_paused_endpoints.sql';
/**
 * A migration with this name removes what an earlier release uses. It comes one release after the code stopped using it.
 * With all other migrations, the previous release continues to run and start while a new one is rolled out.
 */
const CONTRACTS = /^\d{6}_contract_/;
/** Gives the service its views; the release before reads the tables. */
const LIMITS_ROWS = '000335_limited_rows.sql';
/** Builds an index while the service writes; PostgreSQL allows this only outside of a transaction. */
const BUILDS_BESIDE = /^create (?:unique )?index concurrently\b/m;
const OLDEST_VERSION = 150_000;
/** `bestow` in ASCII. */
const MIGRATION_LOCK = 0x626573746f77;
const LOCK_POLL_MS = 50;
/** Other statements queue behind a waiting migration, so it waits briefly and pauses between attempts. */
const TABLE_WAIT_MS = 500;
const PAUSE_MS = 1_000;
const MAX_ATTEMPTS = 40;
/** PostgreSQL's codes for a lock time-out and a deadlock, such as with an index build that waits for our lock. */
const HELD = ['55P03', '40P01'];
const REMEMBER = 'insert into schema_migrations (name) values ($1)';

const namesOf = async (folder: URL) => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

/** Returns the migrations that a database of this program has, in order: the initial schema, a file per owner, and later ones. */
export const migrationNames = (folder = MIGRATIONS) => namesOf(folder);

/** Whether a migration is of a program from before the initial schema, which it is part of. */
export const isEarlierThan = (initial: readonly string[], name: string): boolean => name < (initial[0] ?? '');

/**
 * Brings the schema up to date: forward only, each file once, one process at a time, and applies row security. Retries a
 * migration that waits for a locked table, so that the service continues.
 *
 * @param options `folder`: instead of the program's own, for tests
 * @returns the names of the files that were applied
 * @throws OperatorError if the database is too old, not in UTF-8 or migrated by a newer release, or if a table stays locked
 * @throws ReadOnlyDatabase for a standby
 */
export async function migrate(
  target: ConnectionTarget,
  { attempts = MAX_ATTEMPTS, folder = MIGRATIONS }: { attempts?: number; folder?: URL } = {},
): Promise<string[]> {
  const applied: string[] = [];
  for (let attemptsLeft = attempts; ; attemptsLeft -= 1) {
    try {
      await applyDue(target, folder, applied, attemptsLeft === 1);
      return applied;
    } catch (error) {
      if (attemptsLeft === 1 || !isHeld(error)) throw error;
    }
    await wait(PAUSE_MS);
  }
}

const isHeld = (error: unknown) => HELD.includes(errorCode(error) ?? '');

/**
 * Makes one attempt in its own session, which releases its locks when it ends.
 *
 * @param applied gets the names of the applied files
 */
async function applyDue(
  target: ConnectionTarget,
  folder: URL,
  applied: string[],
  isLastAttempt: boolean,
): Promise<void> {
  // No statement time-out: a migration of a large table may take long. The session's end releases the lock.
  await withConnection(clientConfig(target, 0), async (client) => {
    await refuseUnfitServer(client);
    // Also without a due migration: the queues and the privileges are written too.
    await requireChanges(client);
    await takeLock(client);
    // The tables, not the service's views of them.
    await client.query('set search_path to public');
    // The service's role may not run `create table`, even if the table exists.
    if (!(await hasMigrations(client)))
      await client.query(
        'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
      );
    for (;;) {
      const [due] = dueOf(await everyMigration(folder), await namesIn(client));
      if (due === undefined) break;
      if (isLastAttempt) await applyOrExplain(target, client, due);
      else await apply(client, due);
      applied.push(due.name);
    }
    await applyRowSecurity(client, TABLE_WAIT_MS, applied.includes(LIMITS_ROWS));
  });
}

/** Polls the lock: an index build waits for running statements of other sessions, also for one that waits for a lock. */
async function takeLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.is_mine) return;
    await wait(LOCK_POLL_MS);
  }
}

/**
 * Checks the schema for a command that must not change the database.
 *
 * @throws OperatorError if this program cannot work with the schema
 */
export async function refuseOtherSchema(target: ConnectionTarget): Promise<void> {
  const names = await appliedMigrations(target);
  const needed = dueOf(await everyMigration(), names).at(-1)?.name;
  if (needed !== undefined)
    throw new OperatorError(
      `The database has ${names.length === 0 ? 'no schema' : `the schema ${names.at(-1)}`}, but this command needs ${needed} and changes nothing; run bestow migrate first, or use the Bestow that made it.`,
    );
}

/** Returns the names of the migrations that a database has. */
export const appliedMigrations = (target: ConnectionTarget): Promise<string[]> =>
  withConnection(clientConfig(target, 0), async (client) =>
    (await hasMigrations(client)) ? await namesIn(client) : [],
  );

async function hasMigrations(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select where to_regclass('schema_migrations') is not null`);
  return rows.length > 0;
}

async function namesIn(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
}

interface Migration {
  name: string;
  file: URL;
}

const migrationsIn = async (folder: URL): Promise<Migration[]> =>
  (await namesOf(folder)).map((name) => ({ name, file: new URL(name, folder) }));

const everyMigration = async (folder = MIGRATIONS) => ({
  earlier: await migrationsIn(EARLIER),
  current: await migrationsIn(folder),
});

/** Returns the migrations that are not applied yet. @throws OperatorError for a database that this program does not know */
function dueOf(
  { earlier, current }: Awaited<ReturnType<typeof everyMigration>>,
  applied: readonly string[],
): Migration[] {
  const initial = current.map(({ name }) => name);
  const latest = applied.filter((name) => isEarlierThan(initial, name)).at(-1);
  const isEarlier = latest !== undefined;
  if (isEarlier && !applied.includes(LAST_OF_RECOGNIZED))
    throw new OperatorError(
      `The database has the schema ${latest}, of a Bestow before 1.0.0; run the migrations of commit 3f6a82d on it first.`,
    );
  const all = isEarlier ? [...earlier, ...current] : current;
  const contracted = applied.find((name) => CONTRACTS.test(name) && !all.some((known) => known.name === name));
  if (contracted !== undefined)
    throw new OperatorError(
      `The database was migrated by a newer Bestow (${contracted}); start that version or a later one.`,
    );
  return all.filter(({ name }) => !applied.includes(name));
}

async function apply(client: Client, { name, file }: Migration): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (BUILDS_BESIDE.test(text)) {
    for (const statement of text.split(/;$/m)) await client.query(statement);
    await client.query(REMEMBER, [name]);
    return;
  }
  await client.query('begin');
  await client.query(`set local lock_timeout = ${TABLE_WAIT_MS}`);
  await client.query(text);
  await client.query(REMEMBER, [name]);
  await client.query('commit');
}

/** @throws OperatorError with the blocking sessions if a table stays locked */
async function applyOrExplain(target: ConnectionTarget, client: Client, migration: Migration): Promise<void> {
  const { holders, failure } = await tableHolders(target, client, () => apply(client, migration));
  if (isHeld(failure))
    throw new OperatorError(
      `${migration.name} is blocked by ${holders}. Wait for it to finish or terminate it, then retry.`,
    );
  if (failure !== undefined) throw failure;
}

async function refuseUnfitServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string; encoding: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding`,
  );
  const [row] = rows;
  if (row && Number(row.number) < OLDEST_VERSION)
    throw new OperatorError(`DATABASE_URL names PostgreSQL ${row.version}; Bestow needs version 15 or later.`);
  if (row && row.encoding !== 'UTF8')
    throw new OperatorError(
      `The database has the encoding ${row.encoding}; create it with: create database NAME encoding 'UTF8' template template0.`,
    );
}
