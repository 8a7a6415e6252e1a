import type { QueryClient, QueryExecuteOptions, QueryKey } from '@tanstack/react-query';
import { isOutage } from '../api/outage.ts';

/** Reads. During an outage, returns what was read before, so that a page keeps its menu. */
export const readOrKnown = <Data, Key extends QueryKey>(
  client: QueryClient,
  read: QueryExecuteOptions<Data, Error, Data, Data, Key>,
) =>
  client.query(read).catch((error: unknown) => {
    const known = client.getQueryData<Data>(read.queryKey);
    if (isOutage(error) && known !== undefined) return known;
    throw error;
  });
