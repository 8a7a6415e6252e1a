import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { statement } from './statement.ts';

const terminateSession = statement<[processId: number], { pid: number }>(
  'database.terminate_session',
  `with session as materialized (
    select pid from pg_stat_activity where pid = $1 and application_name = 'bestow' and usename = current_user
  )
  select pid, pg_terminate_backend(pid) from session`,
);

const POLL_MS = 10;
const POLLS = 100;

/**
 * Ends a session of ours whose connection was lost, and returns once it is gone: what it had been sent has then either
 * been committed or never will be.
 */
export async function endSession(client: ClientBase, processId: number): Promise<void> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const sessions = await terminateSession(client, [processId]);
    if (sessions.length === 0) return;
    await wait(POLL_MS);
  }
  throw new Error(`The lost session ${processId} does not end.`);
}
