import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from './client.ts';
import { useScope } from './use-scope.ts';

/** The rules of yearly gifts. */
export function useRules() {
  const { path, may } = useScope();
  return useQuery({
    queryKey: ['calendar', path, 'rules'],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/yearly-rules`, { params: { path } })),
    enabled: may('order', 'request'),
  });
}
