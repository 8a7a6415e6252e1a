import { lazy, Suspense } from 'react';
import { useScope } from '../api/use-scope.ts';

/** One import: each more lengthens the script that the first page loads. */
export const loadNotices = () => import('./notices.tsx');
const Notices = lazy(async () => ({ default: (await loadNotices()).Notices }));

/** Loads the notices only if there is one: most admins have none. */
export function NoticesGate() {
  const { me, membership, lacksSecondFactor } = useScope();
  const { role, is_suspended, holds_gifts } = membership;
  if (role === 'admin' && !is_suspended && !holds_gifts && !lacksSecondFactor && me.invitations.length === 0)
    return null;
  return (
    <Suspense>
      <Notices />
    </Suspense>
  );
}
