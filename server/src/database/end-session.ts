import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { sessionStatement } from './statement.ts';

const terminateSession = sessionStatement<[processId: number], { pid: number }>(
  'database.terminate_session',
  `with session as materialized (
    select lost.pid, lost.wait_event
    from pg_stat_activity as lost join pg_stat_activity as own using (application_name, usename)
    where lost.pid = $1 and own.pid = pg_backend_pid()
  )
  select pid, case when wait_event is distinct from 'SyncRep' then pg_terminate_backend(pid) end from session`,
);

/**
 * A transaction that has written: its commit waits for the standbys, as every commit before it must have done. An id alone
 * writes nothing beforehand, and a commit that finds nothing written does not wait (xact.c, `wrote_xlog`).
 */
const commitAfterAll = sessionStatement<[], { position: string }>(
  'database.commit_after_all',
  `select pg_logical_emit_message(true, 'bestow', '')::text as position`,
);

const POLL_MS = 10;
const POLLS = 100;

/**
 * Ends a session of ours whose connection was lost, and returns once it is gone: what it had been sent has then either
 * been committed or never will be. With synchronous replication one that waits for its standby is left to wait: ended, it
 * would show everybody a commit that the next leader may not have.
 *
 * @param client of the lost session's name and user; one of another name or user that has its number by now is left alone
 * @throws if the session does not end
 */
export async function endSession(client: ClientBase, processId: number): Promise<void> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const sessions = await terminateSession(client, [processId]);
    if (sessions.length === 0) {
      await commitAfterAll(client, []);
      return;
    }
    await wait(POLL_MS);
  }
  throw new Error(`The lost session ${processId} does not end.`);
}
