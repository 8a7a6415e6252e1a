import { useQuery } from '@tanstack/react-query';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { useAct } from '../../ui/use-act.ts';

export type ViewSearch = components['schemas']['GiftViewSearch'];
type Views = components['schemas']['GiftViews'];
export type View = Views['data'][number];

const VIEWS_PATH = `${ORGANIZATION_PATH}/gift-views` as const;

function useViewsOf() {
  const { organizationId, membership } = useScope();
  const params = { path: { organization_id: organizationId } };
  const query = {
    queryKey: ['gift-views', membership.member_id] as const,
    queryFn: () => unwrap(api.GET(VIEWS_PATH, { params })),
    staleTime: 60_000,
  };
  return { params, query };
}

/** Kept on the server, because a person works at more than one machine. */
export const useViews = () => useQuery(useViewsOf().query);

type ViewAct =
  | { act: 'save'; name: string; search: ViewSearch }
  | { act: 'rename'; name: string; newName: string }
  | { act: 'remove'; name: string };

/** Each answer has all views. */
export function useViewAct() {
  const { params, query } = useViewsOf();
  return useAct({
    send: (view: ViewAct): Promise<Views> => {
      const { name } = view;
      if (view.act === 'save') return unwrap(api.PUT(VIEWS_PATH, { params, body: { name, search: view.search } }));
      if (view.act === 'rename')
        return unwrap(api.POST(`${VIEWS_PATH}/rename`, { params, body: { name, new_name: view.newName } }));
      return unwrap(api.POST(`${VIEWS_PATH}/remove`, { params, body: { name } }));
    },
    shows: query.queryKey,
  });
}
