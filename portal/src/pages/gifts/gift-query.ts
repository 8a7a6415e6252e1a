import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';

interface Scope {
  organization_id: string;
  environment: 'live' | 'sandbox';
}

/** A gift with its history. */
export const giftQuery = (path: Scope, giftId: string) => ({
  queryKey: ['gift', path, giftId] as const,
  queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/gifts/{gift_id}`, { params: { path: { ...path, gift_id: giftId } } })),
});
