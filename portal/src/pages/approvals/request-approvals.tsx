import { useScope } from '../../api/use-scope.ts';
import { PersonName } from '../account/person-name.tsx';
import type { GiftRequest } from './request-badge.tsx';

/** How many people have approved a request that needs two; undefined if it needs one. */
export const approvalsOf = ({ approvals: { needed, given_by } }: Pick<GiftRequest, 'approvals'>): string | undefined =>
  needed === 1 ? undefined : `${given_by.length} of ${needed} approvals`;

/** Whether the approval of one more person buys it. */
export const isLastApproval = ({ approvals: { needed, given_by } }: GiftRequest): boolean =>
  given_by.length + 1 >= needed;

/** How many people have approved it, and who. */
export function Approvals({ request }: { request: GiftRequest }) {
  return (
    <>
      {approvalsOf(request)}
      {request.approvals.given_by.map((email) => (
        <span key={email} className="mt-1 block">
          <PersonName email={email} />
        </span>
      ))}
    </>
  );
}

/** What an approver is told after the first of two approvals. */
export const WAITS = 'Approved by you. It waits for another approval.';

/** Whether this person has approved an open request, and another must. */
export function useHasApproved({ state, approvals }: GiftRequest): boolean {
  const { me } = useScope();
  return state === 'open' && approvals.given_by.some((email) => email.toLowerCase() === me.email.toLowerCase());
}

/** Says so. */
export function ApprovedByYou({ request }: { request: GiftRequest }) {
  if (!useHasApproved(request)) return null;
  return (
    <p role="status" className="mb-4 rounded-xl bg-sunken px-4 py-3">
      {WAITS}
    </p>
  );
}
