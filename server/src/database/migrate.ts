import { readdir, readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { OperatorError } from '../base/operator-error.ts';
import { type ConnectionTarget, clientConfig } from './connections.ts';
import { withConnection } from './with-connection.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);
/**
 * A migration that takes away what the release before still uses is named so, and comes a release after the one that no
 * longer does. All others leave that release running, and starting, while a new one is rolled out.
 */
const CONTRACTS = /^\d{6}_contract_/;
const OLDEST_VERSION = 150_000;
/** Any number that nothing else locks: «bestow» in ASCII. */
const MIGRATION_LOCK = 0x626573746f77;

/** This program's, in their order. */
export const migrationNames = async () => (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();

/**
 * Brings the schema up to date: forward only, each file once, all processes one after another.
 *
 * @returns the names of the files that were applied now
 * @throws OperatorError where the database is too old, or no longer has what this program needs
 */
export async function migrate(target: ConnectionTarget): Promise<string[]> {
  // No statement time-out: a migration of a large table may take its time. The session's end gives the lock up.
  return await withConnection(clientConfig(target, 0), async (client) => {
    await refuseOldServer(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
    const files = await migrationNames();
    const due = dueOf(files, rows);
    for (const name of due) await apply(client, name);
    return due;
  });
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
  await client.query('begin');
  await client.query(text);
  await client.query('insert into schema_migrations (name) values ($1)', [name]);
  await client.query('commit');
}

async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  const [row] = rows;
  if (row && Number(row.number) < OLDEST_VERSION)
    throw new OperatorError(`DATABASE_URL names PostgreSQL ${row.version}; Bestow needs version 15 or later.`);
}
