import { ApiError } from '../api/client.ts';
import { askToSignIn, type Reason } from '../api/fresh-sign-in.ts';

/** Button texts by error code. */
const labels: Record<Reason, string> = { sign_in_required: 'Sign in', sign_in_again: 'Sign in again' };

const reasonOf = (error: Error): Reason | undefined =>
  error instanceof ApiError && error.code in labels ? (error.code as Reason) : undefined;

/** Whether the session has ended or is too old for the action. */
export const asksToSignIn = (error: Error) => reasonOf(error) !== undefined;

/** Opens the sign-in above this page, if signing in would fix the error. */
export function SignInButton({ error, className }: { error: Error; className: string }) {
  const reason = reasonOf(error);
  if (reason === undefined) return null;
  return (
    <button type="button" onClick={() => void askToSignIn(reason)} className={className}>
      {labels[reason]}
    </button>
  );
}
