import type { Principal } from '../base/principal.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { initialState } from '../sandbox/steered-state.ts';
import { isInMailDomain, steer } from '../sandbox/steering.ts';
import { type Destination, destination } from './address.ts';
import * as queries from './queries.ts';
import { requireGift } from './retrieve-gift.ts';
import type { RedirectBody } from './schema.ts';
import { giftStatus } from './status.ts';

type RedirectDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'jobs'>;

/**
 * Sends a gift whose delivery failed to another address. All links in earlier messages end: the wrong person may hold
 * them. In the sandbox the new address steers the gift as in an order.
 *
 * @throws BestowError `resource_missing`, `gift_delivery_not_updatable`, `gift_resend_limit_reached`,
 *   `parameter_invalid` (live gift to the sandbox mail domain), `internal_error` (steered)
 */
export async function redirectGift(
  deps: RedirectDeps,
  principal: Principal,
  giftId: string,
  body: RedirectBody,
): Promise<queries.GiftRow> {
  const target = destination(body);
  const { environment, organizationId } = principal;
  const { sandboxMailDomain, resendLimit, linkTtlMs } = deps.config;
  const effect = steer(environment, sandboxMailDomain, target);
  const isRefused = effect === 'internal_error' || isImpossibleLiveAddress(principal, sandboxMailDomain, target);
  if (!isRefused) {
    const now = new Date(deps.clock.now());
    const state = initialState(deps.ids, now, target, effect);
    const deliveryId = deps.ids.next();
    const redirected = await inTransaction(deps.database.pool, async (client) => {
      const [gift] = await queries.redirectGift(client, [
        organizationId,
        environment,
        giftId,
        resendLimit,
        body.method,
        target.address ?? '',
        state.delivery_state,
        state.opened_at,
        state.claimed_at,
        state.card_id,
        state.isSpent,
        new Date(now.getTime() + linkTtlMs),
        deliveryId,
        now,
      ]);
      // The sandbox sends nothing to anyone.
      if (gift !== undefined && environment === 'live')
        await deps.jobs.sendMessagesLater(client, [
          { organizationId, environment, giftId, deliveryId, channel: body.method },
        ]);
      return gift;
    });
    if (redirected !== undefined) return redirected;
  }
  const gift = await requireGift(deps, principal, giftId);
  if (giftStatus(gift) !== 'failed') throw new BestowError('gift_delivery_not_updatable');
  if (!isRefused) throw new BestowError('gift_resend_limit_reached');
  if (effect === 'internal_error') throw new BestowError('internal_error');
  throw new BestowError('parameter_invalid', {
    param: 'email',
    message: `email must not be in ${sandboxMailDomain}: a live gift cannot reach an address that does not exist.`,
  });
}

/** Real money must not go to an address that cannot exist (decisions, «Orders»). */
export function isImpossibleLiveAddress(
  { environment }: Pick<Principal, 'environment'>,
  mailDomain: string,
  { method, address }: Destination,
): boolean {
  return environment === 'live' && method === 'email' && address !== null && isInMailDomain(mailDomain, address);
}
