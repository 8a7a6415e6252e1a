import { useLocation } from '@tanstack/react-router';
import { portalPath } from '../address.ts';
import { ApiError } from '../api/client.ts';

/** What helps is called as the refusals say it. */
const labels: Record<string, string> = { sign_in_required: 'Sign in', sign_in_again: 'Sign in again' };

const labelOf = (error: Error) => (error instanceof ApiError ? labels[error.code] : undefined);

/** Whether the session has ended, or is too old for what was asked. */
export const asksToSignIn = (error: Error) => labelOf(error) !== undefined;

/** The way to the sign-in and back to this page, where that is what is missing. */
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
