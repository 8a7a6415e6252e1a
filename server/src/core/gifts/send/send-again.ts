import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { type Caller, parametersOf } from '../../../platform/authentication/caller.ts';
import { namedKey } from '../../../platform/authentication/named-key.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { actOnce, type OnceRequest } from '../../../platform/idempotency/act-once.ts';
import type { Deps } from '../../deps.ts';
import { initialState, steer } from '../../sandbox/steering.ts';
import { selectGiftDetail } from '../find/search-queries.ts';
import { recordEvent } from '../gift/actions.ts';
import { ERASED_ADDRESS } from '../gift/address.ts';
import type { GiftRow } from '../gift/queries.ts';
import { foundGift, requireGift } from '../gift/retrieve-gift.ts';
import * as queries from './link-queries.ts';

type SendDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'tracer'>;

/** Another attempt is needed only if the gift changes between two statements. */
const MAX_ATTEMPTS = 5;

interface Again {
  giftId: string;
  actor: Actor;
  once?: OnceRequest;
}

interface SentAgain {
  gift: GiftRow;
  isReplay: boolean;
}

/** What the two acts differ in. */
interface Way {
  change: typeof queries.replaceLink;
  action: 'gift.link_replaced' | 'gift.resent';
}

/** Makes each press of a person send a gift at most once, however often the browser asks. @param pressId a random UUID */
export const oncePerPress = (pressId: string, giftId: string): OnceRequest => ({
  key: `portal-${pressId}-${giftId}`,
  operation: `resend gift ${giftId}`,
  fingerprint: createHash('sha256').update(pressId).digest(),
});

/**
 * Gives an unclaimed gift a new link, which ends all earlier ones; counts as a redirect. An email or phone gift is sent
 * again to its address; in the sandbox the address steers its delivery.
 *
 * @throws BestowError `resource_missing`, `gift_already_redeemed`, `gift_canceled`, `gift_scheduled`, `gift_on_hold`,
 *   `gift_delivery_not_updatable` (erased), `gift_resend_limit_reached`, `resource_locked`
 */
export const replaceLink = (deps: SendDeps, caller: Caller, again: Again): Promise<SentAgain> =>
  sendAgain(deps, caller, again, { change: queries.replaceLink, action: 'gift.link_replaced' });

/**
 * Sends an unclaimed email or phone gift once more to its address; counts as a redirect. Earlier links stay valid: the
 * right person has them.
 *
 * @throws BestowError as `replaceLink`; `gift_delivery_not_updatable` also for a link gift
 */
export const resendGift = (deps: SendDeps, caller: Caller, again: Again): Promise<SentAgain> =>
  sendAgain(deps, caller, again, { change: queries.resendGift, action: 'gift.resent' });

async function sendAgain(deps: SendDeps, caller: Caller, { giftId, ...more }: Again, way: Way): Promise<SentAgain> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const sent = await sendOnce(deps, caller, await requireGift(deps, caller, giftId), { ...more, ...way });
    if (sent === 'replayed') return { gift: await requireGift(deps, caller, giftId), isReplay: true };
    if (sent !== undefined) return { gift: sent, isReplay: false };
    const [gift] = await selectGiftDetail(deps.database.read, [caller.organizationId, caller.environment, giftId]);
    if (gift === undefined) throw new BestowError('resource_missing');
    if (gift.claimed_at !== null) throw new BestowError('gift_already_redeemed');
    if (gift.canceled_at !== null) throw new BestowError('gift_canceled');
    if (gift.method === 'link' && way.action === 'gift.resent')
      throw new BestowError('gift_delivery_not_updatable', {
        message: 'A link gift is not sent by the service. Hand out its link, or replace the link.',
      });
    if (gift.is_waiting) throw new BestowError('gift_scheduled');
    if (gift.held_by !== null) throw new BestowError('gift_on_hold');
    if (gift.address === ERASED_ADDRESS)
      throw new BestowError('gift_delivery_not_updatable', {
        message: 'The recipient’s address was erased, so the gift cannot be sent again.',
      });
    if (gift.redirect_count >= deps.config.resendLimit) throw new BestowError('gift_resend_limit_reached');
  }
  throw new BestowError('resource_locked');
}

/** Returns undefined if the gift's state or the limit does not allow it, or its link was just replaced. */
async function sendOnce(
  deps: SendDeps,
  caller: Caller,
  gift: GiftRow,
  { actor, once, change, action }: Omit<Again, 'giftId'> & Way,
): Promise<GiftRow | 'replayed' | undefined> {
  const { organizationId, environment } = caller;
  const { resendLimit, linkTtlMs, sandboxMailDomain } = deps.config;
  const { method, address } = gift;
  const now = new Date(deps.clock.now());
  const target = { method, address };
  const { delivery_state } = initialState(deps.ids, now, target, steer(environment, sandboxMailDomain, target));
  const sendAndRecord = async (client: PoolClient) => {
    const changed = await change(client, [
      ...parametersOf(caller),
      gift.gift_id,
      gift.link_version,
      resendLimit,
      delivery_state,
      new Date(now.getTime() + linkTtlMs),
      deps.ids.next(),
      ERASED_ADDRESS,
      now,
      deps.tracer?.current(),
    ]);
    const found = foundGift(caller, changed);
    if (found !== undefined)
      await recordEvent(client, deps, namedKey(actor, caller), {
        organizationId,
        environment,
        action,
        target: encodeId('gift', gift.gift_id),
        details: {},
      });
    return found;
  };
  return await actOnce(deps, caller, once, sendAndRecord);
}
