import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
import { encodeId } from '../base/ids.ts';
import { maskAddress } from '../base/mask-address.ts';
import type { Scope } from '../base/principal.ts';
import { inTransaction, waitBrieflyForLocks } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { requireUnlockedSandbox } from '../sandbox/require-unlocked-sandbox.ts';
import { initialState } from '../sandbox/steered-state.ts';
import { isInMailDomain, type SteeringEffect, steer } from '../sandbox/steering.ts';
import { type Destination, destination } from './address.ts';
import * as queries from './queries.ts';
import type { RedirectBody } from './schema.ts';
import { selectGiftDetail } from './search-queries.ts';
import { giftStatus } from './status.ts';

type RedirectDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'jobs'>;

interface Redirect {
  giftId: string;
  method: RedirectBody['method'];
  address: string;
  effect: SteeringEffect | undefined;
  actor: Actor;
}

/** Another attempt is needed only if the gift changes between two statements. */
const MAX_ATTEMPTS = 5;

/**
 * Sends a gift whose delivery failed to another address. Links in earlier messages stop working, because the wrong person
 * may have them. In the sandbox the new address steers the gift, as in an order.
 *
 * @throws BestowError `resource_missing`, `gift_delivery_not_updatable`, `gift_resend_limit_reached`, `resource_locked`,
 *   `parameter_invalid` (live gift to the sandbox mail domain), `internal_error` (steered)
 */
export async function redirectGift(
  deps: RedirectDeps,
  scope: Scope,
  { giftId, body, actor }: { giftId: string; body: RedirectBody; actor: Actor },
): Promise<queries.GiftRow> {
  const target = destination(body);
  const { method } = body;
  const address = target.address ?? '';
  const { sandboxMailDomain, resendLimit } = deps.config;
  const effect = steer(scope.environment, sandboxMailDomain, target);
  const isRefused = effect === 'internal_error' || isImpossibleLiveAddress(scope, sandboxMailDomain, target);
  await requireUnlockedSandbox(deps, scope);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const redirected = isRefused ? undefined : await redirect(deps, scope, { giftId, method, address, effect, actor });
    if (redirected !== undefined) return redirected;
    // Errors about the gift's state come before errors about the new address.
    const [gift] = await selectGiftDetail(deps.database.read, [scope.organizationId, scope.environment, giftId]);
    if (gift === undefined) throw new BestowError('resource_missing');
    if (giftStatus(gift) !== 'failed') throw new BestowError('gift_delivery_not_updatable');
    if (gift.redirect_count >= resendLimit) throw new BestowError('gift_resend_limit_reached');
    if (effect === 'internal_error') throw new BestowError('internal_error');
    if (isRefused)
      throw new BestowError('parameter_invalid', {
        param: 'email',
        message: `email must not be in ${sandboxMailDomain}: a live gift cannot reach an address that does not exist.`,
      });
    // The delivery failed between the two statements.
  }
  throw new BestowError('gift_delivery_not_updatable');
}

/** Returns undefined if the gift's state or the redirect limit does not allow it. */
async function redirect(
  deps: RedirectDeps,
  { organizationId, environment }: Scope,
  { giftId, method, address, effect, actor }: Redirect,
): Promise<queries.GiftRow | undefined> {
  const { resendLimit, linkTtlMs } = deps.config;
  const now = new Date(deps.clock.now());
  const state = initialState(deps.ids, now, { method, address }, effect);
  const deliveryId = deps.ids.next();
  return await inTransaction(deps.database.pool, async (client) => {
    await waitBrieflyForLocks(client);
    const [gift] = await queries.redirectGift(client, [
      organizationId,
      environment,
      giftId,
      resendLimit,
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
    ]);
    if (gift === undefined) return undefined;
    if (environment === 'live')
      await deps.jobs.sendMessagesLater(client, [{ organizationId, environment, giftId, deliveryId, channel: method }]);
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      action: 'gift.redirected',
      target: encodeId('gift', giftId),
      details: { method, address: maskAddress(address) },
    });
    return gift;
  });
}

/** Real money must not go to an address that cannot exist (docs/decisions.md#orders). */
export function isImpossibleLiveAddress(
  { environment }: Pick<Scope, 'environment'>,
  mailDomain: string,
  { method, address }: Destination,
): boolean {
  return environment === 'live' && method === 'email' && address !== null && isInMailDomain(mailDomain, address);
}
