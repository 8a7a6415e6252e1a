import type { Environment } from '../base/environment.ts';
import { statement } from '../database/statement.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

/** A gift as its page shows it. */
export interface LinkedGiftRow {
  gift_id: string;
  amount_cents: number;
  method: 'email' | 'phone' | 'link';
  /** Email or E.164 number; null for a link gift. */
  address: string | null;
  delivery_state: 'pending' | 'delivered' | 'failed' | null;
  recipient_name: string | null;
  sender_name: string;
  link_version: number;
  opened_at: Date | null;
  claimed_at: Date | null;
  card_id: string | null;
  spent_cents: number;
  category_name: string;
  /** The category's picture: an absolute URL, a path of this service, or null. */
  artwork: string | null;
}

export const selectLinkedGift = statement<One, LinkedGiftRow>(
  'redemption.select_gift',
  `select g.gift_id, g.amount_cents, g.method, g.address, g.delivery_state, g.recipient_name, g.sender_name,
     g.link_version, g.opened_at, g.claimed_at, g.card_id, g.spent_cents, c.name as category_name, c.artwork
   from gifts g join categories c on c.category_id = g.category_id
   where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3`,
);

/** Locks the gift, so that only one request renews its link. */
export const lockGift = statement<One, { gift_id: string }>(
  'redemption.lock_gift',
  'select gift_id from gifts where organization_id = $1 and environment = $2 and gift_id = $3 for update',
);

/**
 * Counts the new links since each of two times, and returns whether the latest message failed. The first message of a link
 * version belongs to the order or a redirect; later ones are new links.
 */
export const countRenewals = statement<
  [...One, linkVersion: number, since: Date, alsoSince: Date],
  { since: number; also_since: number; has_failed: boolean | null }
>(
  'redemption.count_renewals',
  `select count(*) filter (where d.created_at > $5) as since, count(*) filter (where d.created_at > $6) as also_since,
     (select l.state = 'failed' from gifts g join deliveries l using (organization_id, environment, gift_id, delivery_id)
      where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3) as has_failed
   from deliveries d
   where d.organization_id = $1 and d.environment = $2 and d.gift_id = $3 and d.link_version = $4
     and exists (
       select from deliveries e
       where e.organization_id = d.organization_id and e.environment = d.environment and e.gift_id = d.gift_id
         and e.link_version = d.link_version and e.delivery_id < d.delivery_id)`,
);

/** Adds a message with a new link. Returns no row if the gift was redirected, or its address was erased or failed. */
export const renewLink = statement<
  [...One, linkVersion: number, deliveryId: string, linkExpiresAt: Date, now: Date, erasedAddress: string],
  { channel: 'email' | 'phone' }
>(
  'redemption.renew_link',
  `with gift as (
     update gifts set delivery_id = $5, delivery_state = 'pending', link_expires_at = $6
     where organization_id = $1 and environment = $2 and gift_id = $3 and link_version = $4
       and delivery_state in ('pending', 'delivered') and address <> $8
     returning *
   )
   insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address, link_version,
     link_expires_at, state, created_at)
   select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
     link_expires_at, 'pending', $7
   from gift
   returning channel`,
);
