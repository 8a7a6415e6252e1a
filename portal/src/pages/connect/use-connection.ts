import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import type { operations } from '../../api/schema.d.ts';
import { useAct } from '../../ui/use-act.ts';

export type Connection = operations['getConnection']['responses'][200]['content']['application/json'];

/** What an assistant that signs in asks for. Only the browser in which it began gets it. */
export const useConnection = (connectionId: string) =>
  useQuery({
    queryKey: ['connection', connectionId],
    queryFn: () =>
      unwrap(api.GET('/portal/api/connections/{connection_id}', { params: { path: { connection_id: connectionId } } })),
    retry: false,
    // Answered once, and the assistant does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The browser goes back to the assistant. */
export const goBack = ({ redirect_to }: { redirect_to: string }) => window.location.assign(redirect_to);

export const useDecline = (connectionId: string) =>
  useAct({
    send: () =>
      unwrap(
        api.POST('/portal/api/connections/{connection_id}/decline', {
          params: { path: { connection_id: connectionId } },
        }),
      ),
    onDone: goBack,
  });
