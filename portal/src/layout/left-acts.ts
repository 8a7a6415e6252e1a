import type { Mutation, MutationCacheNotifyEvent, QueryClient } from '@tanstack/react-query';
import { announce } from '../ui/toast.tsx';

type Act = NonNullable<MutationCacheNotifyEvent['mutation']>;

/** Says on the present page how acts ended whose page was left. */
export function announceLeftActs(queryClient: QueryClient): void {
  /** Acts that go on, with the title of the page on which they began. */
  const left = new Map<Act, string>();
  queryClient.getMutationCache().subscribe(({ type, mutation }) => {
    if (mutation === undefined || mutation.meta?.isRead === true) return;
    const { status } = mutation.state;
    // The next page sets its title later.
    if (type === 'observerRemoved' && status === 'pending') left.set(mutation, document.title.split(' · ')[0] ?? '');
    if (type === 'observerAdded') left.delete(mutation);
    const title = left.get(mutation);
    if (title === undefined || status === 'pending') return;
    left.delete(mutation);
    if (status === 'error' || mutation.meta?.isSaid !== true) announce(sentenceOf(mutation, title));
  });
}

const sentenceOf = ({ state: { status, error }, meta }: Mutation, title: string) =>
  status === 'success'
    ? (meta?.done ?? `Done: what you began on “${title}”.`)
    : `Failed: what you began on “${title}”. ${error?.message ?? ''}`;
