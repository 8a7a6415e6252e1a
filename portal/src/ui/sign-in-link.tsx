import { useLocation } from '@tanstack/react-router';
import { portalPath } from '../address.ts';
import { ApiError } from '../api/client.ts';

/** Link texts by error code. */
const labels: Record<string, string> = { sign_in_required: 'Sign in', sign_in_again: 'Sign in again' };

const labelOf = (error: Error) => (error instanceof ApiError ? labels[error.code] : undefined);

/** Whether the session has ended or is too old for the action. */
export const asksToSignIn = (error: Error) => labelOf(error) !== undefined;

/** Leads to the sign-in and back to this page, if signing in would fix the error. */
export function SignInLink({ error, className }: { error: Error; className: string }) {
  const { publicHref } = useLocation();
  const label = labelOf(error);
  if (label === undefined) return null;
  return (
    <a href={`${portalPath}/sign-in?return_to=${encodeURIComponent(publicHref)}`} className={className}>
      {label}
    </a>
  );
}
