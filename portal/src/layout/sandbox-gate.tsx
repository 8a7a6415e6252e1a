import { lazy, type ReactNode, Suspense } from 'react';
import { useScope } from '../api/use-scope.ts';

const WithoutSandbox = lazy(async () => ({ default: (await import('./without-sandbox.tsx')).WithoutSandbox }));

/** Creates the sandbox when an admin first opens Sandbox mode. */
export function SandboxGate({ children }: { children: ReactNode }) {
  const { membership, environment } = useScope();
  if (environment === 'live' || membership.has_sandbox) return children;
  return (
    <Suspense>
      <WithoutSandbox />
    </Suspense>
  );
}
