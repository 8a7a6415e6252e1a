import type { PoolClient } from 'pg';
import { type Caller, parametersOf } from '../../../platform/authentication/caller.ts';
import { namedKey } from '../../../platform/authentication/named-key.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { actOnce, type OnceRequest } from '../../../platform/idempotency/act-once.ts';
import type { Deps } from '../../deps.ts';
import { recordEvent } from '../gift/actions.ts';
import { type GiftRow, selectGift } from '../gift/queries.ts';
import { foundGift, requireGift } from '../gift/retrieve-gift.ts';
import { selectHold } from '../hold/hold-queries.ts';
import { readSendTime } from '../place/send-time.ts';
import { rescheduleGift } from './schedule-queries.ts';
import { sendWaiting } from './send-waiting.ts';

type ScheduleDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'tracer'>;

interface Change {
  giftId: string;
  /** As the caller wrote it; undefined: now. */
  sendAt: string | undefined;
  actor: Actor;
  once?: OnceRequest;
}

/**
 * Changes when a scheduled gift is sent, until it is; a time that has come sends it in the same commit. The days until it
 * expires count from the new time.
 *
 * @throws BestowError `resource_missing`, `parameter_invalid` (`send_at`), `gift_already_redeemed`, `gift_canceled`, `gift_not_scheduled`,
 *   `gift_on_hold`, `resource_locked`, those of `actOnce`
 */
export async function scheduleGift(
  deps: ScheduleDeps,
  caller: Caller,
  { giftId, sendAt, actor, once }: Change,
): Promise<{ gift: GiftRow; isReplay: boolean }> {
  await requireGift(deps, caller, giftId);
  const change = async (client: PoolClient) => {
    const now = new Date(deps.clock.now());
    const time = sendAt === undefined ? now : readSendTime(sendAt, now);
    if (typeof time === 'string')
      throw new BestowError('parameter_invalid', { param: 'send_at', message: `send_at ${time}.` });
    const isDue = time <= now;
    const scheduledFor = isDue ? now : time;
    const linkExpiresAt = new Date(scheduledFor.getTime() + deps.config.linkTtlMs);
    const found = await rescheduleGift(client, [...parametersOf(caller), giftId, scheduledFor, linkExpiresAt]);
    const gift = foundGift(caller, found);
    if (gift === undefined) return undefined;
    await recordEvent(client, deps, namedKey(actor, caller), {
      organizationId: caller.organizationId,
      environment: caller.environment,
      action: 'gift.rescheduled',
      target: encodeId('gift', giftId),
      details: { send_at: scheduledFor.toISOString() },
    });
    if (!isDue || gift.method === 'link' || gift.address === null) return gift;
    // Last, because it locks the counter of events.
    await sendWaiting(client, deps, caller, [{ gift_id: giftId, method: gift.method, address: gift.address }]);
    return foundGift(caller, await selectGift(client, [...parametersOf(caller), giftId]));
  };
  const changed = await actOnce(deps, caller, once, change);
  if (typeof changed === 'object') return { gift: changed, isReplay: false };
  const gift = await requireGift(deps, caller, giftId);
  if (changed === 'replayed') return { gift, isReplay: true };
  if (gift.claimed_at !== null) throw new BestowError('gift_already_redeemed');
  if (gift.canceled_at !== null) throw new BestowError('gift_canceled');
  if (!gift.is_waiting) throw new BestowError('gift_not_scheduled');
  const [hold] = await selectHold(deps.database.read, [caller.organizationId, caller.environment, giftId]);
  throw new BestowError(hold?.held_by == null ? 'resource_locked' : 'gift_on_hold');
}
