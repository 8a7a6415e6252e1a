import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from './client.ts';
import { useScope } from './use-scope.ts';

/** All grants of agents of the mode, including ended ones. */
export function useGrants() {
  const { path } = useScope();
  return useQuery({
    queryKey: ['grants', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/grants`, { params: { path } })),
  });
}
