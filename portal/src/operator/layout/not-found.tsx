import { Link } from '@tanstack/react-router';
import { OperatorPage } from './operator-page.tsx';

export const NotFoundPage = () => (
  <OperatorPage title="Page not found" description="The link may be incomplete.">
    <p>
      <Link to="/" className="text-accent underline">
        Go to the first page
      </Link>
    </p>
  </OperatorPage>
);

/** Outside of the frame, where no other `main` is. */
export const NotFoundAlone = () => (
  <main>
    <NotFoundPage />
  </main>
);
