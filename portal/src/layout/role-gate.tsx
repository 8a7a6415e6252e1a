import { useMatches } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useScope } from '../api/use-scope.ts';
import { loadNotices } from './notices-gate.tsx';
import { needsOf } from './page-needs.ts';

const LackOfRole = lazy(async () => ({ default: (await loadNotices()).LackOfRole }));

/** Shows a page only if the role includes it. */
export function RoleGate({ children }: { children: ReactNode }) {
  const { includes } = useScope();
  const needs = needsOf(useMatches({ select: (matches) => matches.at(-1)?.fullPath }));
  if (needs === undefined || includes(...needs)) return children;
  return (
    <Suspense>
      <LackOfRole needs={needs} />
    </Suspense>
  );
}
