import { listDeliveries } from '../../../core/delivery/list-deliveries.ts';
import { callerOf } from '../../../platform/authentication/caller.ts';
import { decodeId } from '../../../platform/base/ids.ts';
import type { Arguments } from '../operation-request.ts';
import type { Act, Acting } from './act.ts';

/** Makes an act that answers with a gift and when it was last sent. @param more arguments that are always sent */
export const sentGift =
  (operationId: string, more: Arguments = {}): Act =>
  async (acting) => {
    const { idempotency_key: idempotencyKey, ...given } = acting.given;
    return withLastSent(acting, await acting.call(operationId, { ...given, ...more }, { idempotencyKey }));
  };

export async function withLastSent({ deps, request }: Acting, answer: object): Promise<object> {
  const giftId = decodeId('gift', String((answer as Arguments)['gift_id']));
  if (giftId === undefined) return answer;
  const deliveries = await listDeliveries(deps, callerOf(request), giftId);
  const last = deliveries.findLast(({ reminder_day }) => reminder_day === null);
  return last === undefined ? answer : { ...answer, last_sent_at: last.created_at };
}
