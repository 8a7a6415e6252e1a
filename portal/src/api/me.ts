import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client.ts';

/** Who is signed in, and where they are a member. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => unwrap(api.GET('/portal/api/me')),
  staleTime: 60_000,
});
