import { lazy, Suspense } from 'react';
import { useScope } from '../api/use-scope.ts';

const Notices = lazy(async () => ({ default: (await import('./notices.tsx')).Notices }));

/** Loads the notices only if there is one: most admins have none. */
export function NoticesGate() {
  const { me, membership, isAdmin, lacksSecondFactor } = useScope();
  const { is_suspended, holds_gifts } = membership;
  if (isAdmin && !is_suspended && !holds_gifts && !lacksSecondFactor && me.invitations.length === 0) return null;
  return (
    <Suspense>
      <Notices />
    </Suspense>
  );
}
