import type { ClientBase } from 'pg';
import { errorCode } from '../base/error-code.ts';
import { rethrow } from './lost-commit.ts';
import { statementOfNone } from './statement.ts';

/** A record in the log, and half a megabyte that does not fit the memory and takes new room on the disk. */
const writeMuch = statementOfNone<[], { position: string; rows: number }>(
  'database.write_much',
  `select pg_logical_emit_message(true, 'bestow', '')::text as position, count(*) as rows from generate_series(1, 20000)`,
);

/** The room must be where the tables are. */
const BEGIN = `begin; set local work_mem = '64kB'; set local temp_tablespaces = ''`;

/**
 * Writes and rolls back. Rows that fit the free space of a table would hide a full disk.
 *
 * @throws PostgreSQL's error, of which `isFull` tells a full disk
 */
export async function tryWrite(client: ClientBase): Promise<void> {
  await client.query(BEGIN).catch(rethrow);
  try {
    await writeMuch(client, []);
  } finally {
    await client.query('rollback');
  }
}

/**
 * Commits a message, which no table holds. With synchronous replication it waits until the standbys have everything before
 * it. A commit without a write does not wait (xact.c, `wrote_xlog`).
 */
export const commitMessage = statementOfNone<[], { position: string }>(
  'database.commit_message',
  `select pg_logical_emit_message(true, 'bestow', '')::text as position`,
);

/** Whether a commit of the service waits for a synchronous standby for more than a second. */
export const selectWaitsForStandby = statementOfNone<[], { waits: boolean }>(
  'database.select_waits_for_standby',
  `select exists (
     select from pg_stat_activity
     where wait_event = 'SyncRep' and usename = current_user and application_name like 'bestow%'
       and state_change < clock_timestamp() - interval '1 second'
   ) as waits`,
);

/** Ends a session whose `commitMessage` waits; otherwise it stays until the standby is back. */
export const endMessage = statementOfNone<[processId: number]>(
  'database.end_message',
  'select pg_terminate_backend($1)',
);

/** Whether the disk of PostgreSQL is full. */
export const isFull = (error: unknown) => errorCode(error) === '53100';
