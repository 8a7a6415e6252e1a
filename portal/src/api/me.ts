import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client.ts';
import type { operations } from './schema.d.ts';

export type Me = operations['getMe']['responses'][200]['content']['application/json'];

/** The signed-in person and their memberships. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => unwrap(api.GET('/portal/api/me')),
  staleTime: 60_000,
});
