import type { PoolClient } from 'pg';
import { type Caller, parametersOf } from '../../../platform/authentication/caller.ts';
import { namedKey } from '../../../platform/authentication/named-key.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { destination, isImpossibleLiveAddress } from '../../../platform/base/destination.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { maskAddress } from '../../../platform/base/mask-address.ts';
import { actOnce, type OnceRequest } from '../../../platform/idempotency/act-once.ts';
import { countRedirect, lockBeforeRedirect } from '../../caps/count-redirect.ts';
import type { Deps } from '../../deps.ts';
import { initialState, type SteeringEffect, steer } from '../../sandbox/steering.ts';
import { type GiftSummaryRow, selectGiftDetail } from '../find/search-queries.ts';
import { recordEvent } from '../gift/actions.ts';
import { giftStatus } from '../gift/present-gift.ts';
import type { GiftRow } from '../gift/queries.ts';
import { foundGift, requireGift } from '../gift/retrieve-gift.ts';
import type { RedirectBody } from '../gift/schema.ts';
import { appendRedirectEvents } from './link-queries.ts';
import * as queries from './redirect-queries.ts';

type RedirectDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'tracer'>;

interface Redirect {
  giftId: string;
  method: RedirectBody['method'];
  address: string;
  effect: SteeringEffect | undefined;
  /** Redirects nothing, and only checks the caller. */
  isRefused: boolean;
  actor: Actor;
  once: OnceRequest | undefined;
}

interface Redirected {
  gift: GiftRow;
  /** The same request was done before, so this one did nothing; by its key: `replayed`. */
  repeats?: 'replayed' | 'address';
}

const CANCELED = 'This gift was canceled, so it cannot be sent to another address.';

/** Another attempt is needed only if the gift changes between two statements. */
const MAX_ATTEMPTS = 5;

/**
 * Sends a gift whose delivery failed to another address, or changes that of a gift which is not sent yet. Links in earlier messages stop working, because the wrong person
 * may have them. In the sandbox the new address steers the gift, as in an order. Does nothing if the request was done before:
 * by its key, or because a message to this address is under way since an earlier redirect.
 *
 * @throws BestowError `resource_missing`, `gift_delivery_not_updatable`, `gift_on_hold`, `gift_resend_limit_reached`,
 *   `resource_locked`, those of `actOnce`, `parameter_invalid` (the same address, or a live gift to the sandbox mail domain), `internal_error`
 *   (steered), `insufficient_balance` (the new recipient's daily cap)
 */
export async function redirectGift(
  deps: RedirectDeps,
  caller: Caller,
  { giftId, body, actor, once }: { giftId: string; body: RedirectBody; actor: Actor; once?: OnceRequest },
): Promise<Redirected> {
  const target = destination(body);
  const { method } = body;
  const address = target.address ?? '';
  const { sandboxMailDomain, resendLimit } = deps.config;
  const effect = steer(caller.environment, sandboxMailDomain, target);
  const isRefused =
    effect === 'internal_error' || isImpossibleLiveAddress(caller.environment, sandboxMailDomain, target);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const redirected = await redirect(deps, caller, { giftId, method, address, effect, actor, isRefused, once });
    if (typeof redirected === 'object') return { gift: redirected };
    // An agent learns nothing about a gift that its grant does not reach.
    const present = await requireGift(deps, caller, giftId);
    if (redirected === 'replayed') return { gift: present, repeats: 'replayed' };
    // Errors about the gift's state come before errors about the new address.
    const [gift] = await selectGiftDetail(deps.database.read, [caller.organizationId, caller.environment, giftId]);
    if (gift === undefined) throw new BestowError('resource_missing');
    if (gift.canceled_at !== null)
      throw new BestowError('gift_delivery_not_updatable', { message: CANCELED, reason: 'gift_canceled' });
    if (isUnderWayTo(gift, method, address)) return { gift: present, repeats: 'address' };
    if (giftStatus(gift) !== 'failed' && !gift.is_waiting) throw new BestowError('gift_delivery_not_updatable');
    if (gift.held_by !== null) throw new BestowError('gift_on_hold');
    if (gift.redirect_count >= resendLimit) throw new BestowError('gift_resend_limit_reached');
    if (effect === 'internal_error') throw new BestowError('internal_error');
    if (isRefused)
      throw new BestowError('parameter_invalid', {
        param: 'email',
        message: `email must not be in ${sandboxMailDomain}: a live gift cannot reach an address that does not exist.`,
      });
    if (gift.method === method && gift.address === address)
      throw new BestowError('parameter_invalid', {
        param: method,
        message: `${method} is the address ${gift.is_waiting ? 'that the gift has' : 'to which the delivery failed'}. Send a different one.`,
      });
    // The delivery failed between the two statements.
  }
  throw new BestowError('gift_delivery_not_updatable');
}

const isUnderWayTo = (gift: GiftSummaryRow, method: string, address: string): boolean =>
  gift.redirect_count > 0 &&
  gift.method === method &&
  gift.address === address &&
  gift.delivery_state === 'pending' &&
  gift.opened_at === null;

/** Returns undefined if the gift's state, its address or the redirect limit does not allow it. */
async function redirect(
  deps: RedirectDeps,
  caller: Caller,
  { giftId, method, address, effect, isRefused, actor, once }: Redirect,
): Promise<GiftRow | 'replayed' | undefined> {
  const { organizationId, environment } = caller;
  const { resendLimit, linkTtlMs } = deps.config;
  const now = new Date(deps.clock.now());
  const state = initialState(deps.ids, now, { method, address }, effect);
  const deliveryId = deps.ids.next();
  const redirectAndRecord = async (client: PoolClient) => {
    await lockBeforeRedirect(client, deps, caller);
    const redirected = await queries.redirectGift(client, [
      ...parametersOf(caller),
      giftId,
      isRefused ? 0 : resendLimit,
      method,
      address,
      state.delivery_state,
      state.opened_at,
      state.claimed_at,
      state.card_id,
      state.isSpent,
      new Date(now.getTime() + linkTtlMs),
      deliveryId,
      now,
      deps.tracer?.current(),
    ]);
    const gift = foundGift(caller, redirected);
    if (gift === undefined) return undefined;
    await countRedirect(client, deps, caller, { address, amountCents: gift.amount_cents, now });
    await recordEvent(client, deps, namedKey(actor, caller), {
      organizationId,
      environment,
      action: 'gift.redirected',
      target: encodeId('gift', giftId),
      details: { method, address: maskAddress(address) },
    });
    await appendRedirectEvents(client, [organizationId, environment, giftId, now]);
    return gift;
  };
  return await actOnce(deps, caller, once, redirectAndRecord);
}
