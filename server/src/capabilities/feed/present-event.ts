import { encodeId } from '../../platform/base/ids.ts';
import type { EventRow } from './queries.ts';
import type { EventBody } from './schema.ts';

/** Returns an event as `/v1` and webhooks show it. */
export function presentEvent({ event_id, type, created_at, sequence, order_id, gift_id, data }: EventRow): EventBody {
  return {
    event_id: encodeId('evt', event_id),
    type,
    created_at,
    sequence,
    data: {
      ...(order_id === null ? {} : { order_id: encodeId('ord', order_id) }),
      ...(gift_id === null ? {} : { gift_id: encodeId('gift', gift_id) }),
      ...data,
      ...presentRequest(data?.['order_request_id']),
    },
  };
}

/** The statement that ends a request stores its UUID. */
const presentRequest = (requestId: unknown) =>
  typeof requestId === 'string' ? { order_request_id: encodeId('ask', requestId) } : {};
