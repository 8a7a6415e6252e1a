import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { sessionQuery } from './session.ts';

const signedInRoute = getRouteApi('/signed-in');

/** Returns the operator's session, and what the page must know of the service. */
export function useSession() {
  const { session } = signedInRoute.useRouteContext();
  // A session that was begun above the page is newer than the route's.
  const { data = session } = useQuery({ ...sessionQuery, staleTime: Number.POSITIVE_INFINITY });
  return data;
}
