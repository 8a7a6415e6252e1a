import { type Caller, seesLinks } from '../../../platform/authentication/caller.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { maskAddress } from '../../../platform/base/mask-address.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { Links } from '../../links/links.ts';
import { ERASED_ADDRESS } from './address.ts';
import { showsOf } from './field.ts';
import { fieldsOfGift, type giftFields } from './gift-fields.ts';
import { inOneOrder } from './present-references.ts';
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

type Show = (gift: GiftRow, links: Links, viewer: Viewer) => unknown;

/** The fields that are not a column as it is; undefined leaves one out. */
const made: Partial<Record<keyof typeof giftFields, Show>> = {
  gift_id: ({ gift_id }) => encodeId('gift', gift_id),
  delivery: (gift, links, viewer) => ({
    method: gift.method,
    status: giftStatus(gift),
    ...address(links, viewer, gift),
  }),
  personalization: ({ sender_name, recipient_name, message }) => ({
    sender_name,
    ...(recipient_name === null ? {} : { recipient_name }),
    ...(message === null ? {} : { message }),
  }),
  metadata: ({ metadata }) => inOneOrder(metadata),
  cancellation: ({ canceled_at, cancel_reason, amount_cents }) =>
    canceled_at === null
      ? undefined
      : { canceled_at: canceled_at.toISOString(), reason: cancel_reason, refunded: amount_cents },
};

const showColumn =
  (column: string): Show =>
  ({ [column as keyof GiftRow]: value }) =>
    value instanceof Date ? value.toISOString() : (value ?? undefined);

const shown = showsOf(fieldsOfGift, 'api', made, showColumn);

/** An agent whose grant has no links sees no link, and only a mask of the address. */
export function presentGift(links: Links, viewer: Viewer, gift: GiftRow): GiftBody {
  const body: Record<string, unknown> = {};
  for (const { name, show } of shown) {
    const value = show(gift, links, viewer);
    if (value !== undefined) body[name] = value;
  }
  return body as GiftBody;
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
