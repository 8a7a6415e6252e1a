import { KeyChanged } from '../base/key-changed.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { requireFreeSandbox } from '../sandbox/require-free-sandbox.ts';
import { type GiftRow, renewGiftLink, selectGift } from './queries.ts';

type GiftDeps = Pick<Deps, 'clock' | 'config' | 'database'>;

/**
 * @throws BestowError `resource_missing` where the organization has no such gift in this environment
 * @throws KeyChanged where there is none, or the key that is to be proved no longer holds
 */
export async function requireGift(
  deps: Pick<Deps, 'database'>,
  scope: Scope,
  giftId: string,
  keyToProve: string | null = null,
): Promise<GiftRow> {
  const [gift] = await selectGift(deps.database.read, [scope.organizationId, scope.environment, giftId, keyToProve]);
  if (gift === undefined) throw keyToProve === null ? new BestowError('resource_missing') : new KeyChanged();
  return gift;
}

/**
 * One gift; a link that has expired is renewed, so that the link returned works (specification, GiftDelivery rule 1).
 * Links given out before keep their own expiry, so of two renewals at once both results open.
 *
 * @param keyToProve as in `requireGift`
 * @throws BestowError `resource_missing`, and `resource_locked` where a link cannot be renewed now
 * @throws KeyChanged as `requireGift` does
 */
export async function retrieveGift(
  deps: GiftDeps,
  scope: Scope,
  giftId: string,
  keyToProve: string | null = null,
): Promise<GiftRow> {
  const gift = await requireGift(deps, scope, giftId, keyToProve);
  const nowMs = deps.clock.now();
  if (gift.method !== 'link' || gift.link_expires_at.getTime() > nowMs) return gift;
  await requireFreeSandbox(deps, scope);
  const expiresAt = new Date(nowMs + deps.config.linkTtlMs);
  const [renewed] = await renewGiftLink(deps.database.change, [
    scope.organizationId,
    scope.environment,
    giftId,
    new Date(nowMs),
    expiresAt,
  ]);
  return renewed ?? requireGift(deps, scope, giftId);
}
