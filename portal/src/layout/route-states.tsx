import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/client.ts';
import { isOutage } from '../api/outage.ts';
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

/** @param read what every route waits for: who has signed in */
export const routeErrorPage =
  <Data, Key extends QueryKey>(read: UseQueryOptions<Data, Error, Data, Key>) =>
  ({ error }: ErrorComponentProps) => {
    const router = useRouter();
    const isReachable = useIsReachable();
    const isLost = error instanceof ApiError && error.status === 0;
    const isUnavailable = isOutage(error) && !isLost;
    const { isSuccess } = useQuery({ ...read, enabled: isUnavailable });
    // A new document, because browsers remember that a script could not be loaded.
    useEffect(() => {
      if ((isLost && isReachable) || (isUnavailable && isSuccess)) window.location.reload();
    }, [isLost, isReachable, isUnavailable, isSuccess]);
    const retry = () => (isLost ? askServer() : router.invalidate());
    const shown = (
      <Page title="Page not loaded">
        <Panel>
          <ErrorState error={error instanceof Error ? error : new Error(String(error))} onRetry={() => void retry()} />
        </Panel>
      </Page>
    );
    // The frame, which has a `main`, depends on who has signed in.
    return isUnavailable ? <main>{shown}</main> : shown;
  };
