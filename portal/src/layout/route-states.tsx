import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/client.ts';
import { askServer, useIsReachable } from '../api/reachability.ts';
import { Page, Panel } from '../ui/page.tsx';
import { ErrorState } from '../ui/states.tsx';

export const NotFoundPage = () => (
  <Page title="Page not found" description="The link may be incomplete.">
    <p>
      <Link to="/" className="text-accent underline">
        Go to the overview
      </Link>
    </p>
  </Page>
);

/** Outside an organization, where no frame has a `main`. */
export const NotFoundAlone = () => (
  <main>
    <NotFoundPage />
  </main>
);

export function RouteErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isReachable = useIsReachable();
  const isLost = error instanceof ApiError && error.status === 0;
  // A new document, because browsers remember that a script could not be loaded.
  useEffect(() => {
    if (isLost && isReachable) window.location.reload();
  }, [isLost, isReachable]);
  const retry = () => (isLost ? askServer() : router.invalidate());
  return (
    <Page title="Page not loaded">
      <Panel>
        <ErrorState error={error instanceof Error ? error : new Error(String(error))} onRetry={() => void retry()} />
      </Panel>
    </Page>
  );
}
