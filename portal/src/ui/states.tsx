import type { ReactNode } from 'react';
import { Button, buttonClass } from './button.tsx';
import { asksToSignIn, SignInButton } from './sign-in-button.tsx';

/** An empty list: why it is empty, and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 px-4 py-12 text-center">
      <svg
        aria-hidden="true"
        viewBox="0 0 48 48"
        className="size-12 text-line-strong"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
      >
        <path d="M8 21h32v19H8zM6 14h36v7H6zM24 14v26M24 14c-9 0-12-9-5-9 4 0 5 6 5 9 0-3 1-9 5-9 7 0 4 9-5 9" />
      </svg>
      <p className="font-serif text-lg font-semibold">{title}</p>
      {children !== undefined && <div className="max-w-md text-soft">{children}</div>}
    </div>
  );
}

/** A list without rows that match its filters. */
export function NoMatch(props: { title: string; showAll: string; onClear: () => void; children: string }) {
  return (
    <EmptyState title={props.title}>
      <p>{props.children}</p>
      <p className="mt-3">
        <Button onClick={props.onClear}>{props.showAll}</Button>
      </p>
    </EmptyState>
  );
}

/** Replaces content that could not be loaded. */
export function ErrorState({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <p className="font-serif text-lg font-semibold">Could not load this</p>
      <p className="max-w-md text-soft">{error.message}</p>
      {asksToSignIn(error) ? (
        <SignInButton error={error} className={buttonClass()} />
      ) : (
        <Button onClick={onRetry}>Try again</Button>
      )}
    </div>
  );
}

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  /** Lines of the placeholder. */
  lines: number;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query, or a placeholder or an error. */
export function Loaded<Data>({ query: { data, error, refetch }, lines, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  return error === null ? <Skeleton lines={lines} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
}

/** Above content that could not be refreshed. */
export function RefreshFailed({ error }: { error: Error }) {
  return (
    <p role="status" className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
      Could not refresh this. {error.message}{' '}
      <SignInButton error={error} className="font-semibold whitespace-nowrap underline" />
    </p>
  );
}

/** A placeholder of about the height of the content, so that the layout does not jump. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" className="grid gap-3 py-1">
      <span className="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
        <div key={line} className="h-5 animate-pulse rounded-md bg-sunken motion-reduce:animate-none" />
      ))}
    </div>
  );
}
