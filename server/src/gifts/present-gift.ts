import { encodeId } from '../base/ids.ts';
import type { Scope } from '../base/principal.ts';
import type { Links } from '../redemption/links.ts';
import { ERASED_ADDRESS } from './address.ts';
import type { GiftRow } from './queries.ts';
import type { GiftBody } from './schema.ts';
import { giftStatus } from './status.ts';

export function presentGift(links: Links, scope: Scope, gift: GiftRow): GiftBody {
  return {
    gift_id: encodeId('gift', gift.gift_id),
    amount: gift.amount_cents,
    category: gift.category_id,
    delivery: { method: gift.method, status: giftStatus(gift), ...address(links, scope, gift) },
    personalization: {
      sender_name: gift.sender_name,
      ...(gift.recipient_name === null ? {} : { recipient_name: gift.recipient_name }),
    },
  };
}

function address(links: Links, scope: Scope, gift: GiftRow): Partial<Record<'email' | 'phone' | 'link', string>> {
  if (gift.address === null) return { link: giftLink(links, scope, gift) };
  if (gift.address === ERASED_ADDRESS) return {};
  return gift.method === 'email' ? { email: gift.address } : { phone: gift.address };
}

/** Returns the gift's current redemption link, expired or not. */
export function giftLink(links: Links, { organizationId, environment }: Scope, gift: GiftRow): string {
  return links.url({
    organizationId,
    environment,
    giftId: gift.gift_id,
    version: gift.link_version,
    expiresAtMs: gift.link_expires_at.getTime(),
  });
}
