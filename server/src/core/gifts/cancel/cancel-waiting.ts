import type { PoolClient } from 'pg';
import type { Caller } from '../../../platform/authentication/caller.ts';
import { namedKey } from '../../../platform/authentication/named-key.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import { recordEvent } from '../gift/actions.ts';
import { type CanceledRow, cancelWaiting as cancel, lockGifts } from './cancel-queries.ts';
import { lockForRefunds } from './lock-for-refunds.ts';

/** Locks gifts of which some are changed one by one: before the first of their events, as every act does. */
export async function lockWaiting(client: PoolClient, scope: Scope, giftIds: readonly string[]): Promise<void> {
  await lockGifts(client, [scope.organizationId, scope.environment, giftIds]);
}

interface Cancellation {
  /** UUIDs. */
  giftIds: readonly string[];
  reason: string;
  actor: Actor;
}

/**
 * Cancels those of the gifts that still wait for their time, in the caller's transaction: nothing is sent, and their amounts
 * return to the balance.
 *
 * @returns the canceled ones
 * @throws BestowError as `lockForRefunds`
 */
export async function cancelWaiting(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  caller: Caller,
  { giftIds, reason, actor }: Cancellation,
): Promise<CanceledRow[]> {
  if (giftIds.length === 0) return [];
  const { organizationId, environment } = caller;
  const entryIds = await lockForRefunds(client, deps, caller, giftIds.length);
  const now = new Date(deps.clock.now());
  const canceled = await cancel(client, [organizationId, environment, giftIds, entryIds, reason, now]);
  for (const { gift_id, amount_cents } of canceled)
    await recordEvent(client, deps, namedKey(actor, caller), {
      organizationId,
      environment,
      action: 'gift.canceled',
      target: encodeId('gift', gift_id),
      details: { reason, refunded_cents: amount_cents },
    });
  return canceled;
}
