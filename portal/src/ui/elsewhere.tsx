import { Link, type LinkProps } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { usePlace } from '../layout/use-place.ts';
import { EmptyState, ErrorState } from './states.tsx';

interface ElsewhereProps {
  error: Error;
  onRetry: () => void;
  /** What is missing: “This order is not here”. */
  title: string;
  /** Why it may be. */
  children: string;
  /** The same page in the other mode, for its id may have come from there. */
  inOtherMode: (environment: 'live' | 'sandbox') => LinkProps;
}

/** Where a page's one thing could not be loaded: because it is not there, or because something went wrong. */
export function Elsewhere({ error, onRetry, title, children, inOtherMode }: ElsewhereProps) {
  const { environment } = usePlace();
  if (!(error instanceof ApiError && error.status === 404)) return <ErrorState error={error} onRetry={onRetry} />;
  const other = environment === 'live' ? 'sandbox' : 'live';
  return (
    <div role="alert">
      <EmptyState title={title}>
        <p>{children}</p>
        <p className="mt-3">
          <Link {...inOtherMode(other)} className="font-semibold text-accent underline underline-offset-2">
            Look in {other === 'live' ? 'Live' : 'Sandbox'} mode
          </Link>
        </p>
      </EmptyState>
    </div>
  );
}
