import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from './client.ts';
import { useScope } from './use-scope.ts';

/** How many requests wait for a decision, for those who decide them. */
export function useOpenRequests() {
  const { path, includes } = useScope();
  return useQuery({
    queryKey: ['gift-requests', path, 'count'],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/gift-requests/open`, { params: { path } })),
    enabled: includes('approve'),
  });
}
