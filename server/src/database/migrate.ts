import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { OperatorError } from '../base/operator-error.ts';
import { type ConnectionTarget, clientConfig } from './connections.ts';

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
  // No statement time-out: a migration of a large table may take its time.
  const client = new Client(clientConfig(target, 0));
  await client.connect();
  try {
    await refuseOldServer(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
    const files = await migrationNames();
    const contracted = rows.find(({ name }) => !files.includes(name) && CONTRACTS.test(name));
    if (contracted)
      throw new OperatorError(
        `The database was migrated by a newer Bestow (${contracted.name}); start that version or a later one.`,
      );
    const applied = new Set(rows.map(({ name }) => name));
    const due = files.filter((name) => !applied.has(name));
    for (const name of due) await apply(client, name);
    return due;
  } finally {
    // Ends the session and with it the lock.
    await client.end();
  }
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
