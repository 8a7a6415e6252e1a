import { errorCode } from '../base/error-code.ts';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import { isReadOnly } from './read-only.ts';
import type { Queryable } from './statement.ts';

/** Whether PostgreSQL answered that the statement failed, and not that its session was ended. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  // No SQLSTATE begins with E; Node's EPIPE has its length.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:57P|08|E)/.test(code);
}

/** Whether the database is unreachable, full, out of connections, too slow (SQLSTATE classes 53, 57, 58) or read-only. */
export const isOutOfOrder = (error: unknown) =>
  !isRefusal(error) || isReadOnly(error) || /^5[378]/.test(String((error as { code?: unknown }).code));

/**
 * Whether what a session was sent failed and was rolled back: PostgreSQL said so, and the session goes on. One that ends
 * with its error may have committed before: a PANIC while the log is flushed (58030, 53100) comes after it was written.
 */
export async function wasRolledBack(error: unknown, session: Queryable): Promise<boolean> {
  if (!isRefusal(error)) return false;
  // Within the transaction that failed even this is refused, which is an answer too.
  return await session.query({ text: 'select 1' }).then(() => true, isRefusal);
}

/** Whether the router refused the statement before a server got it; then it closes the connection. */
export const neverRan = (error: unknown) =>
  errorCode(error) === '58000' && /replicas down|checkout timeout/.test(String(error));

/** Returns PostgreSQL's own error, or OutcomeUnknown if the session was lost, because it may have committed. */
export const commitError = async (error: unknown, session: Queryable) =>
  neverRan(error) || (await wasRolledBack(error, session))
    ? error
    : new OutcomeUnknown('The connection was lost while a change was being committed. Look whether it was made.', {
        cause: error,
      });

/** Whether the statement commits something when it is run alone; one that only locks does not. */
export const isWrite = (text: string) => /\b(?:insert into|delete from|(?<!for |key )update)\b/.test(text);
