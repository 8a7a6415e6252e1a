import type { PoolClient } from 'pg';
import type { Caller } from '../../../platform/authentication/caller.ts';
import { namedKey } from '../../../platform/authentication/named-key.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { actOnce, type OnceRequest } from '../../../platform/idempotency/act-once.ts';
import type { Deps } from '../../deps.ts';
import { recordEvent } from '../gift/actions.ts';
import type { GiftRow } from '../gift/queries.ts';
import { requireGift } from '../gift/retrieve-gift.ts';
import { cancelGift as cancel } from './cancel-queries.ts';
import { lockForRefunds } from './lock-for-refunds.ts';

interface Cancellation {
  giftId: string;
  reason: string | undefined;
  actor: Actor;
  once?: OnceRequest;
}

/**
 * Cancels an unclaimed gift, also one on hold: its links end, its messages are withdrawn, and its amount returns to the
 * balance, in one commit. Canceling it again changes nothing.
 *
 * @throws BestowError `resource_missing`, `gift_already_redeemed`, `resource_locked`, those of `actOnce`
 */
export async function cancelGift(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  caller: Caller,
  { giftId, reason, actor, once }: Cancellation,
): Promise<{ gift: GiftRow; isReplay: boolean }> {
  const { organizationId, environment } = caller;
  const found = await requireGift(deps, caller, giftId);
  const cancelAndRecord = async (client: PoolClient) => {
    // An answer without a change; with a key it is remembered all the same.
    if (found.canceled_at !== null) return found;
    const entryIds = await lockForRefunds(client, deps, caller, 1);
    const now = new Date(deps.clock.now());
    const [canceled] = await cancel(client, [organizationId, environment, giftId, entryIds, reason ?? null, now]);
    if (canceled === undefined) return undefined;
    await recordEvent(client, deps, namedKey(actor, caller), {
      organizationId,
      environment,
      action: 'gift.canceled',
      target: encodeId('gift', giftId),
      details: { reason: reason ?? null, refunded_cents: canceled.amount_cents },
    });
    return canceled;
  };
  const canceled = await actOnce(deps, caller, once, cancelAndRecord);
  if (typeof canceled === 'object') return { gift: canceled, isReplay: false };
  const gift = await requireGift(deps, caller, giftId);
  // Another request canceled it first.
  if (gift.canceled_at !== null) return { gift, isReplay: canceled === 'replayed' };
  throw new BestowError(gift.claimed_at === null ? 'resource_locked' : 'gift_already_redeemed');
}
