import { admitted } from '../../../platform/authentication/caller.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import { giftLink } from '../gift/present-gift.ts';
import { retrieveGift } from '../gift/retrieve-gift.ts';

/**
 * Returns the redemption link of a link gift, and renews it if expired. In the sandbox, whose messages no one gets, also that
 * of an email or phone gift once it is sent; null for the others. For admins only: anyone with the link can claim the gift.
 *
 * @param giftId UUID
 * @throws BestowError `resource_missing`
 */
export async function showGiftLink(
  deps: Pick<Deps, 'clock' | 'config' | 'database' | 'links'>,
  scope: Scope,
  giftId: string,
): Promise<{ link: string; expires_at: Date } | null> {
  const gift = await retrieveGift(deps, admitted(scope), giftId);
  const isTried = scope.environment === 'sandbox' && gift.is_waiting !== true && gift.canceled_at === null;
  return gift.method === 'link' || isTried
    ? { link: giftLink(deps.links, scope, gift), expires_at: gift.link_expires_at }
    : null;
}
