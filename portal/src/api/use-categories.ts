import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from './client.ts';

/** The categories that can be bought. */
export function useCategories() {
  const { data, error, isPending } = useQuery({
    queryKey: ['categories'],
    queryFn: () => unwrap(api.GET('/portal/api/categories')),
    staleTime: 60_000,
  });
  return { choices: (data?.data ?? []).filter(({ is_retired }) => !is_retired), error, isPending };
}
