import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client.ts';

/** The signed-in person and their memberships. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => unwrap(api.GET('/portal/api/me')),
  staleTime: 60_000,
});
