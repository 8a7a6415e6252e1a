import { statement } from '../database/statement.ts';

/** `address`: lower-case. */
type Recipient = [organizationId: string, address: string, placeholder: string];

/**
 * Erases gifts that a `processing` order has not created yet. They are created as failed, so that no message is sent. Waits
 * for an order that is being completed; the next statement erases its gifts.
 */
export const erasePendingGifts = statement<Recipient, { orders: number }>(
  'erasure.erase_pending_gifts',
  `with changed as (
     update orders o
     set pending_gifts = (
       select jsonb_agg(
         case when lower(p.gift ->> 'address') = $2
           then p.gift || jsonb_build_object('address', $3::text, 'recipient_name', null, 'delivery_state',
             case when p.gift ->> 'claimed_at' is null then 'failed' else p.gift ->> 'delivery_state' end)
           else p.gift end
         order by p.position)
       from jsonb_array_elements(o.pending_gifts) with ordinality as p (gift, position)
     )
     where o.organization_id = $1 and o.pending_gifts is not null
       and exists (
         select from jsonb_array_elements(o.pending_gifts) as p (gift) where lower(p.gift ->> 'address') = $2)
     returning 1
   )
   select count(*) as orders from changed`,
);

export interface ErasedRow {
  gifts: number;
  messages: number;
  /** Messages not sent yet. */
  messages_cancelled: number;
  /** Gifts redirected to another address, which stays. */
  gifts_elsewhere: number;
  /** Opened, unclaimed gifts: no address is left for a fresh link. */
  gifts_unclaimed: number;
}

/**
 * Erases gifts and messages that ever went to the address. Pending messages fail, so that no worker sends them. Locks gifts
 * in the same order as the delivery webhooks do.
 */
export const eraseGifts = statement<[...Recipient, reason: string, now: Date], ErasedRow>(
  'erasure.erase_gifts',
  `with found as (
     select environment, gift_id from gifts where organization_id = $1 and lower(address) = $2
     union
     select environment, gift_id from deliveries where organization_id = $1 and lower(address) = $2
   ), gift as (
     select g.environment, g.gift_id from gifts g join found f using (environment, gift_id)
     where g.organization_id = $1
     order by g.environment, g.gift_id
     for no key update of g
   ), delivery as (
     update deliveries d
     set address = $3, reason = $4, provider_id = null,
       state = case d.state when 'pending' then 'failed' else d.state end,
       settled_at = case d.state when 'pending' then $5 else d.settled_at end
     from gift f
     where d.organization_id = $1 and d.environment = f.environment and d.gift_id = f.gift_id and lower(d.address) = $2
     returning d.state = 'failed' and d.settled_at = $5 as is_cancelled
   ), erased as (
     update gifts g
     set recipient_name = null, address = case when lower(g.address) = $2 then $3 else g.address end,
       delivery_state = case when lower(g.address) = $2 and g.claimed_at is null then 'failed' else g.delivery_state end
     from gift f
     where g.organization_id = $1 and g.environment = f.environment and g.gift_id = f.gift_id
     returning g.address <> $3 as is_elsewhere, g.opened_at is not null and g.claimed_at is null as is_unclaimed
   )
   select g.gifts, d.messages, d.messages_cancelled, g.gifts_elsewhere, g.gifts_unclaimed
   from (select count(*) as gifts, count(*) filter (where is_elsewhere) as gifts_elsewhere,
       count(*) filter (where is_unclaimed) as gifts_unclaimed from erased) g,
     (select count(*) as messages, count(*) filter (where is_cancelled) as messages_cancelled from delivery) d`,
);

export const countKeysWith = statement<[organizationId: string, address: string], { keys: number }>(
  'erasure.count_keys_with',
  'select count(*) as keys from orders where organization_id = $1 and strpos(lower(idempotency_key), $2) > 0',
);
