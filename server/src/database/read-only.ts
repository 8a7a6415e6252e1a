import type { ClientBase, PoolConfig, QueryConfig } from 'pg';
import { errorCode } from '../base/error-code.ts';

/**
 * Thrown instead of keeping a session that may only read. A leader that was lost comes back as a standby, maybe while its
 * name still leads there: a session that is opened to it then would stay, with stale reads and without a write.
 */
export class ReadOnlyDatabase extends Error {
  constructor() {
    super('The database takes no changes: it is a standby, or was set to be read only.');
  }
}

/** Whether PostgreSQL refused to change anything at all, whatever it was asked: its session is of no more use. */
export const isReadOnly = (error: unknown) => errorCode(error) === '25006';

/** As long as connecting may take. */
const ANSWER_WITHIN_MS = 2_000;

/** @throws ReadOnlyDatabase where the session may only read */
export async function requireChanges(client: ClientBase): Promise<void> {
  const look = { text: 'show transaction_read_only', query_timeout: ANSWER_WITHIN_MS };
  const { rows } = await client.query<{ transaction_read_only: string }>(look as QueryConfig);
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyDatabase();
}

/** The same of each connection that a pool opens, before it is lent. */
export const verifyChanges: NonNullable<PoolConfig['verify']> = (client, done) =>
  void requireChanges(client).then(() => done(), done);
