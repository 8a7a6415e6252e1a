import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { statementOfNone } from './statement.ts';
import { commitMessage } from './try-write.ts';

const terminateSession = statementOfNone<[processId: number], { pid: number }>(
  'database.terminate_session',
  `with session as materialized (
    select lost.pid, lost.wait_event
    from pg_stat_activity as lost join pg_stat_activity as own using (application_name, usename)
    where lost.pid = $1 and own.pid = pg_backend_pid()
  )
  select pid, case when wait_event is distinct from 'SyncRep' then pg_terminate_backend(pid) end from session`,
);

const POLL_MS = 10;
const POLLS = 100;

/**
 * Ends the session of a lost connection and returns once the session is gone: its statements have then been committed or
 * never will be. A session that waits for a synchronous standby is not ended, because that would make a commit visible that
 * the next leader may not have.
 *
 * @param client a session with the same name and user; a session with others, which got the process id since, is not ended
 * @throws if the session does not end
 */
export async function endSession(client: ClientBase, processId: number): Promise<void> {
  for (let poll = 0; poll < POLLS; poll += 1) {
    const sessions = await terminateSession(client, [processId]);
    if (sessions.length === 0) {
      // A commit after all that the lost session wrote.
      await commitMessage(client, []);
      return;
    }
    await wait(POLL_MS);
  }
  throw new Error(`The lost session ${processId} does not end.`);
}
