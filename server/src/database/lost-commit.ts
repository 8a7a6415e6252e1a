import { OutcomeUnknown } from '../base/outcome-unknown.ts';

/** Whether PostgreSQL answered that the statement failed and was rolled back, and not that its session ends. */
export function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:57P|08)/.test(code);
}

/**
 * Whether the database could not do it, whatever it was asked: out of reach, full, without connections, or a statement
 * that something held up for too long (SQLSTATE classes 53, 57 and 58).
 */
export const isOutOfOrder = (error: unknown) =>
  !isRefusal(error) || /^5[378]/.test(String((error as { code?: unknown }).code));

/**
 * What to throw where a commit that was sent failed with this error: PostgreSQL's own refusal, or OutcomeUnknown where the
 * connection was lost, since the commit may have been made.
 */
export const commitError = (error: unknown) =>
  isRefusal(error)
    ? error
    : new OutcomeUnknown('The connection was lost while a change was being committed. Look whether it was made.', {
        cause: error,
      });

/** Whether the statement commits something when it is run alone; one that only locks does not. */
export const isWrite = (text: string) => /\b(?:insert into|delete from|(?<!for |key )update)\b/.test(text);
