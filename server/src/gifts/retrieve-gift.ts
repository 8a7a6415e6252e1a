import { KeyChanged } from '../base/key-changed.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { requireUnlockedSandbox } from '../sandbox/require-unlocked-sandbox.ts';
import { type GiftRow, renewGiftLink, selectGift } from './queries.ts';

type GiftDeps = Pick<Deps, 'clock' | 'config' | 'database'>;

/**
 * @throws BestowError `resource_missing` if the organization has no such gift in this environment
 * @throws KeyChanged instead, if `keyToProve` is given: the gift is missing or the key is no longer valid
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
 * Returns one gift and renews its link if expired, so that the returned link works. Earlier links keep their own expiry.
 *
 * @throws BestowError `resource_missing`, and `resource_locked` if the link cannot be renewed now
 * @throws KeyChanged like `requireGift`
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
  await requireUnlockedSandbox(deps, scope);
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
