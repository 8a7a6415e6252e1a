import { type Caller, seesLinks } from '../../../platform/authentication/caller.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { maskAddress } from '../../../platform/base/mask-address.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { Links } from '../../links/links.ts';
import { ERASED_ADDRESS } from './address.ts';
import { presentReferences } from './present-references.ts';
import type { GiftRow, GiftState, LinkedRow } from './queries.ts';
import type { GiftBody } from './schema.ts';

export type GiftStatus = 'sent' | 'failed' | 'opened' | 'claimed';

/** Returns the shown status: the furthest state reached (docs/decisions.md#gift-status). */
export function giftStatus(gift: GiftState): GiftStatus {
  if (gift.claimed_at !== null) return 'claimed';
  if (gift.opened_at !== null) return 'opened';
  return gift.delivery_state === 'failed' ? 'failed' : 'sent';
}

/** Whom a gift is shown to: a caller, after the statement that found the gift, or a member of the organization. */
export type Viewer = Scope & Partial<Pick<Caller, 'isAgent' | 'found'>>;

/** An agent whose grant has no links sees no link, and only a mask of the address. */
export function presentGift(links: Links, viewer: Viewer, gift: GiftRow): GiftBody {
  return {
    gift_id: encodeId('gift', gift.gift_id),
    amount: gift.amount_cents,
    category: gift.category_id,
    ...(gift.chosen_category_id === null ? {} : { chosen_category: gift.chosen_category_id }),
    delivery: { method: gift.method, status: giftStatus(gift), ...address(links, viewer, gift) },
    personalization: {
      sender_name: gift.sender_name,
      ...(gift.recipient_name === null ? {} : { recipient_name: gift.recipient_name }),
      ...(gift.message === null ? {} : { message: gift.message }),
    },
    ...(gift.language == null ? {} : { language: gift.language }),
    ...presentReferences(gift),
    ...(gift.scheduled_for === null ? {} : { scheduled_for: gift.scheduled_for.toISOString() }),
    ...cancellation(gift),
  };
}

function cancellation({ canceled_at, cancel_reason, amount_cents }: GiftRow): Pick<GiftBody, 'cancellation'> {
  if (canceled_at === null) return {};
  return { cancellation: { canceled_at: canceled_at.toISOString(), reason: cancel_reason, refunded: amount_cents } };
}

function address(links: Links, viewer: Viewer, gift: GiftRow): Partial<Record<'email' | 'phone' | 'link', string>> {
  const isMasked = !seesLinks(viewer);
  if (gift.address === null) return isMasked ? {} : { link: giftLink(links, viewer, gift) };
  if (gift.address === ERASED_ADDRESS) return {};
  const shown = isMasked ? maskAddress(gift.address) : gift.address;
  return gift.method === 'email' ? { email: shown } : { phone: shown };
}

/** Returns the gift's current redemption link, expired or not. */
export function giftLink(links: Links, { organizationId, environment }: Scope, gift: LinkedRow): string {
  return links.url({
    organizationId,
    environment,
    giftId: gift.gift_id,
    version: gift.link_version,
    expiresAtMs: gift.link_expires_at.getTime(),
  });
}
