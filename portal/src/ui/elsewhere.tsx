import { Link, type LinkProps } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { useScope } from '../api/use-scope.ts';
import { EmptyState, ErrorState } from './states.tsx';

interface ElsewhereProps {
  error: Error;
  onRetry: () => void;
  /** Such as “Order not found”. */
  title: string;
  /** Possible reasons. */
  children: string;
  /** The same page in the other mode, which the id may belong to. */
  inOtherMode: (environment: 'live' | 'sandbox') => LinkProps;
}

/** Shown if a gift, order or request was not found or could not be loaded. */
export function Elsewhere({ error, onRetry, title, children, inOtherMode }: ElsewhereProps) {
  const { environment } = useScope();
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
