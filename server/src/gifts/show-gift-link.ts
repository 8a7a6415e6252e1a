import { admitted } from '../authentication/caller.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { giftLink } from './present-gift.ts';
import { retrieveGift } from './retrieve-gift.ts';

/**
 * Returns the redemption link of a link gift, and renews it if expired; null for email and phone gifts. For admins only:
 * anyone with the link can claim the gift.
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
  return gift.method === 'link' ? { link: giftLink(deps.links, scope, gift), expires_at: gift.link_expires_at } : null;
}
