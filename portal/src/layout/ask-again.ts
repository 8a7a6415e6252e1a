import { focusManager, type Query, type QueryClient } from '@tanstack/react-query';
import { isOutage } from '../api/outage.ts';

const ASK_EVERY_MS = 5_000;

/** Asks for what pages show and could not read, again and again while someone looks at them. */
export async function keepAsking(queryClient: QueryClient): Promise<void> {
  if (focusManager.isFocused()) await askFailedReads(queryClient);
  setTimeout(() => void keepAsking(queryClient), ASK_EVERY_MS);
}

/** Pages keep the error until an answer arrives. */
async function askFailedReads(queryClient: QueryClient): Promise<void> {
  const failed = queryClient
    .getQueryCache()
    .findAll({ type: 'active', fetchStatus: 'idle', predicate: ({ state }) => isOutage(state.error) });
  await Promise.all(failed.map((query) => askBeside(queryClient, query)));
}

/** Asks without the state “pending”, which would replace the error by a placeholder each time. */
async function askBeside(client: QueryClient, query: Query): Promise<void> {
  const { queryFn } = query.options;
  if (typeof queryFn !== 'function') return;
  const { queryKey, meta } = query;
  const { signal } = new AbortController();
  try {
    query.setData(await queryFn({ client, queryKey, meta, signal }));
  } catch (error) {
    // Another error is shown.
    if (!isOutage(error)) await query.fetch().catch(() => undefined);
  }
}
