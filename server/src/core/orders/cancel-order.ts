import type { PoolClient } from 'pg';
import type { Caller } from '../../platform/authentication/caller.ts';
import { namedKey } from '../../platform/authentication/named-key.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { actOnce, type OnceRequest } from '../../platform/idempotency/act-once.ts';
import type { Deps } from '../deps.ts';
import { lockForRefunds } from '../gifts/cancel/lock-for-refunds.ts';
import { recordEvent } from './actions.ts';
import { type CanceledOrderRow, cancelOrder as cancel, selectIsClaimed } from './cancel-queries.ts';
import { retrieveOrder } from './list-orders.ts';
import type { OrderBody } from './schema.ts';

const MAX_GIFTS = 10;

interface Cancellation {
  orderId: string;
  reason: string | undefined;
  actor: Actor;
  once?: OnceRequest;
}

/**
 * Cancels every unclaimed gift of an order in one commit, also those that a `processing` order has not created. Canceling it
 * again changes nothing.
 *
 * @throws BestowError `resource_missing`, `gift_already_redeemed` if every gift is claimed, `resource_locked`, those of
 *   `actOnce`
 */
export async function cancelOrder(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'links'>,
  caller: Caller,
  { orderId, reason, actor, once }: Cancellation,
): Promise<{ order: OrderBody; isReplay: boolean }> {
  const { organizationId, environment } = caller;
  await retrieveOrder(deps, caller, orderId);
  const cancelAndRecord = async (client: PoolClient) => {
    const entryIds = await lockForRefunds(client, deps, caller, MAX_GIFTS);
    const now = new Date(deps.clock.now());
    const [result] = await cancel(client, [organizationId, environment, orderId, entryIds, reason ?? null, now]);
    const { canceled, refunded_cents } = result as CanceledOrderRow;
    if (canceled === 0) {
      const [order] = await selectIsClaimed(client, [organizationId, environment, orderId]);
      if (order?.is_claimed) throw new BestowError('gift_already_redeemed');
      // Its issuer may still refuse the claim.
      if (order?.is_claiming) throw new BestowError('resource_locked');
    } else
      await recordEvent(client, deps, namedKey(actor, caller), {
        organizationId,
        environment,
        action: 'order.canceled',
        target: encodeId('ord', orderId),
        details: { reason: reason ?? null, gifts: canceled, refunded_cents },
      });
    return { canceled };
  };
  const outcome = await actOnce(deps, caller, once, cancelAndRecord);
  return { order: await retrieveOrder(deps, caller, orderId), isReplay: outcome === 'replayed' };
}
