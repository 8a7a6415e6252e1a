import { noteStall } from '../base/database-stall.ts';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import { isReadOnly } from './read-only.ts';

/** A connection whose statement failed. */
interface Session {
  query(statement: { text: string }): Promise<unknown>;
}

/** Whether PostgreSQL refused the statement and did not end the session. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  // Node's EPIPE has the length of a SQLSTATE, but no SQLSTATE begins with E.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:57P|08|E)/.test(code);
}

/** Whether the database is unreachable, full, out of connections, too slow (SQLSTATE classes 53, 57, 58) or read-only. */
export const isOutOfOrder = (error: unknown) =>
  !isRefusal(error) || isReadOnly(error) || /^5[378]/.test(String((error as { code?: unknown }).code));

/** Throws an error of the database again, and remembers whether it is out of order. For `catch`. */
export function rethrow(error: unknown): never {
  if (isOutOfOrder(error)) noteStall(error);
  throw error;
}

/**
 * Whether a session's statement failed and was rolled back: PostgreSQL refused it, and the session still answers. A session
 * that ends with an error may have committed: a PANIC in the flush of the log (58030, 53100) follows the commit's write.
 */
export async function wasRolledBack(error: unknown, session: Session): Promise<boolean> {
  if (!isRefusal(error)) return false;
  // A failed transaction refuses this statement too, but the session answers.
  return await session.query({ text: 'select 1' }).then(() => true, isRefusal);
}

/** Returns PostgreSQL's own error, or OutcomeUnknown if the session was lost, because it may have committed. */
export const commitError = async (error: unknown, session: Session) =>
  (await wasRolledBack(error, session))
    ? error
    : new OutcomeUnknown('The connection was lost while a change was being committed. Look whether it was made.', {
        cause: error,
      });

/** Whether the statement changes something if it runs alone; `for update` only locks. */
export const isWrite = (text: string) => /\b(?:insert into|delete from|(?<!for |key )update)\b/.test(text);
