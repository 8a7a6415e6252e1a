import type { ClientBase, QueryConfig } from 'pg';
import { errorCode } from '../base/error-code.ts';

/** PostgreSQL's code for a change that a session may not make. */
const READ_ONLY = '25006';

/**
 * Thrown instead of keeping a session that may only read. A former leader may come back as a standby under the same name; a
 * session to it would return stale reads and refuse writes.
 */
export class ReadOnlyDatabase extends Error {
  readonly code = READ_ONLY;

  constructor(message = 'The database takes no changes: it is a standby, or was set to be read only.') {
    super(message);
  }
}

/** Whether the session may make no changes; then close it. */
export const isReadOnly = (error: unknown) => errorCode(error) === READ_ONLY;

/** As long as connecting may take. */
export const ANSWER_WITHIN_MS = 2_000;

/** @throws ReadOnlyDatabase if the session may only read */
export async function requireChanges(client: ClientBase): Promise<void> {
  const look = { text: 'show transaction_read_only', query_timeout: ANSWER_WITHIN_MS };
  const { rows } = await client.query<{ transaction_read_only: string }>(look as QueryConfig);
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyDatabase();
}
