import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';
import { ErrorState } from '../ui/states.tsx';

export function NotFoundPage() {
  return (
    <main>
      <Page title="Page not found" description="The portal has no page at this address. The link may be incomplete.">
        <p>
          <Link to="/" className="text-accent underline">
            Go to the overview
          </Link>
        </p>
      </Page>
    </main>
  );
}

export function RouteErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <ErrorState
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => void router.invalidate()}
    />
  );
}
