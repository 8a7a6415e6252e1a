import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { giftLink } from './present-gift.ts';
import { retrieveGift } from './retrieve-gift.ts';

/**
 * The redemption link of a link gift: whoever has it can take the gift, so it is for admins only. One that has expired
 * is renewed, as by `GET /v1/gifts/{gift_id}`. Null for a gift that the service delivers itself.
 *
 * @param giftId UUID
 * @throws BestowError `resource_missing`
 */
export async function showGiftLink(
  deps: Pick<Deps, 'clock' | 'config' | 'database' | 'links'>,
  scope: Scope,
  giftId: string,
): Promise<{ link: string; expires_at: Date } | null> {
  const gift = await retrieveGift(deps, scope, giftId);
  return gift.method === 'link' ? { link: giftLink(deps.links, scope, gift), expires_at: gift.link_expires_at } : null;
}
