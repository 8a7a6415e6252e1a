import type { ClientBase, PoolConfig, QueryConfig } from 'pg';
import { errorCode } from '../base/error-code.ts';

/**
 * Thrown instead of keeping a session that may only read. A former leader may come back as a standby under the same name; a
 * session to it would return stale reads and refuse writes.
 */
export class ReadOnlyDatabase extends Error {
  constructor() {
    super('The database takes no changes: it is a standby, or was set to be read only.');
  }
}

/** Whether PostgreSQL refuses all changes; then close the session. */
export const isReadOnly = (error: unknown) => errorCode(error) === '25006';

/** As long as connecting may take. */
const ANSWER_WITHIN_MS = 2_000;

/** @throws ReadOnlyDatabase if the session may only read */
export async function requireChanges(client: ClientBase): Promise<void> {
  const look = { text: 'show transaction_read_only', query_timeout: ANSWER_WITHIN_MS };
  const { rows } = await client.query<{ transaction_read_only: string }>(look as QueryConfig);
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyDatabase();
}

/** Checks each new connection of a pool before it is checked out. */
export const verifyChanges: NonNullable<PoolConfig['verify']> = (client, done) =>
  void requireChanges(client).then(() => done(), done);
