import type { Query, QueryClient, QueryExecuteOptions } from '@tanstack/react-query';
import { isOutage } from '../api/outage.ts';

/** Asks for what pages show and could not read. Until there is an answer, they go on to say why. */
export async function askFailedReads(queryClient: QueryClient): Promise<void> {
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

/** Reads. During an outage, returns what was read before, so that a page keeps its menu. */
export const readOrKnown = <Data>(client: QueryClient, read: QueryExecuteOptions<Data, Error, Data, Data, string[]>) =>
  client.query(read).catch((error: unknown) => {
    const known = client.getQueryData<Data>(read.queryKey);
    if (isOutage(error) && known !== undefined) return known;
    throw error;
  });
