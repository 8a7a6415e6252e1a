import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { OperatorError } from '../base/operator-error.ts';
import { type ConnectionTarget, clientConfig } from './connections.ts';
import { tableHolders } from './table-holders.ts';
import { withConnection } from './with-connection.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);
/**
 * A migration that takes away what the release before still uses is named so, and comes a release after the one that no
 * longer does. All others leave that release running, and starting, while a new one is rolled out.
 */
const CONTRACTS = /^\d{6}_contract_/;
/** Builds an index while the service goes on writing, which PostgreSQL does outside of a transaction only. */
const BUILDS_BESIDE = /^create (?:unique )?index concurrently\b/m;
const OLDEST_VERSION = 150_000;
/** Any number that nothing else locks: «bestow» in ASCII. */
const MIGRATION_LOCK = 0x626573746f77;
const LOCK_POLL_MS = 50;
/** Whoever comes to a table after a migration waits behind it. Less than an order may take, and pauses to let them pass. */
const TABLE_WAIT_MS = 500;
const PAUSE_MS = 1_000;
const TRIES = 40;
/** Of PostgreSQL: the table is held; or each waits for the other, as an index being built and whoever waits for our lock. */
const HELD = ['55P03', '40P01'];
const REMEMBER = 'insert into schema_migrations (name) values ($1)';

/** This program's, in their order. */
export const migrationNames = async () => (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();

/**
 * Brings the schema up to date: forward only, each file once, all processes one after another. The service goes on
 * meanwhile: a migration that needs a table which somebody holds lets go and comes again.
 *
 * @param tries how often, within a minute unless told otherwise
 * @returns the names of the files that were applied now
 * @throws OperatorError where the database is too old, or no longer has what this program needs, or a table stays held
 */
export async function migrate(target: ConnectionTarget, tries = TRIES): Promise<string[]> {
  const applied: string[] = [];
  for (let triesLeft = tries; ; triesLeft -= 1) {
    try {
      await applyDue(target, applied, triesLeft === 1);
      return applied;
    } catch (error) {
      if (triesLeft === 1 || !isHeld(error)) throw error;
    }
    await wait(PAUSE_MS);
  }
}

const isHeld = (error: unknown) => HELD.includes(errorCode(error) ?? '');

/**
 * One try, in a session of its own: what it held is free again when it has failed.
 *
 * @param applied where the names of the files go that were applied
 */
async function applyDue(target: ConnectionTarget, applied: string[], isLastTry: boolean): Promise<void> {
  // No statement time-out: a migration of a large table may take its time. The session's end gives the lock up.
  await withConnection(clientConfig(target, 0), async (client) => {
    await refuseOldServer(client);
    await takeTurn(client);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
    const files = await migrationNames();
    for (const name of dueOf(files, rows)) {
      if (isLastTry) await applyOrTell(target, client, name);
      else await apply(client, name);
      applied.push(name);
    }
  });
}

/** Asks again and again: whoever waited within a statement would be waited for by an index that is being built beside. */
async function takeTurn(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.is_mine) return;
    await wait(LOCK_POLL_MS);
  }
}

/**
 * For a command that must leave the database as it is, such as a backup that it checks.
 *
 * @throws OperatorError where the schema is not one that this program can work with
 */
export async function refuseOtherSchema(target: ConnectionTarget): Promise<void> {
  const rows = await withConnection(clientConfig(target, 0), async (client) => {
    const { rows: tables } = await client.query(`select where to_regclass('schema_migrations') is not null`);
    if (tables.length === 0) return [];
    return (await client.query<{ name: string }>('select name from schema_migrations order by name')).rows;
  });
  const needed = dueOf(await migrationNames(), rows).at(-1);
  if (needed !== undefined)
    throw new OperatorError(
      `The database has ${rows.length === 0 ? 'no schema' : `the schema ${rows.at(-1)?.name}`}, but this command needs ${needed} and changes nothing; run bestow migrate first, or use the Bestow that made it.`,
    );
}

/** The names of this program's files that the database does not know. */
function dueOf(files: readonly string[], rows: readonly { name: string }[]): string[] {
  const contracted = rows.find(({ name }) => !files.includes(name) && CONTRACTS.test(name));
  if (contracted)
    throw new OperatorError(
      `The database was migrated by a newer Bestow (${contracted.name}); start that version or a later one.`,
    );
  const applied = new Set(rows.map(({ name }) => name));
  return files.filter((name) => !applied.has(name));
}

async function apply(client: Client, name: string): Promise<void> {
  const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
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

/** @throws OperatorError where a table stays held, with the sessions that hold it */
async function applyOrTell(target: ConnectionTarget, client: Client, name: string): Promise<void> {
  const { holders, failure } = await tableHolders(target, client, () => apply(client, name));
  if (isHeld(failure))
    throw new OperatorError(
      `${name} needs a table that ${holders} holds. Wait for that to end, or end it, and start again.`,
    );
  if (failure !== undefined) throw failure;
}

async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  const [row] = rows;
  if (row && Number(row.number) < OLDEST_VERSION)
    throw new OperatorError(`DATABASE_URL names PostgreSQL ${row.version}; Bestow needs version 15 or later.`);
}
