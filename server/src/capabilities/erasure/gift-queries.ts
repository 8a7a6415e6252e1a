import type { ErasedCounts } from '../../core/address-owner.ts';
import { ERASED_FINGERPRINT } from '../../core/gifts/gift/address.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { deliveryFailed, giftFacts } from '../../platform/events/gift-facts.ts';

/** `address`: lower-case. */
type Recipient = [organizationId: string, address: string, placeholder: string];

type ErasedRow = Pick<
  ErasedCounts,
  'gifts' | 'messages' | 'messages_cancelled' | 'gifts_elsewhere' | 'gifts_unclaimed'
>;

/**
 * Update of the cards of gifts. A claim that waits for its issuer ends, and with it what was entered: no card of such a claim
 * was activated. What the issuer has of the holder of another card is erased later.
 */
const eraseCard = (gifts: string) =>
  `update cards k set entered = null, pin = null, holder_address = null,
       state = case k.state when 'claiming' then 'refused' else k.state end,
       holder_hash = case k.state when 'claiming' then null else k.holder_hash end,
       erase_at = case when k.provider_id is not null and k.state <> 'refused' then $5 else k.erase_at end
     from ${gifts} f
     where k.organization_id = $1 and k.environment = f.environment and k.gift_id = f.gift_id`;

/**
 * Erases gifts and messages that ever went to the address, link gifts whose holder entered it, and what their orders'
 * fingerprints, metadata and codes would tell of it.
 * Pending messages fail, so that no worker sends them. Locks gifts in the same order as the delivery webhooks do.
 */
export const eraseGifts = statement<[...Recipient, reason: string, now: Date], ErasedRow>(
  'erasure.erase_gifts',
  `with held as (
     select environment, gift_id from card_proofs where organization_id = $1 and ${foldAddress('holder_address')} = $2
     union
     select environment, gift_id from cards where organization_id = $1 and ${foldAddress('holder_address')} = $2
   ), found as (
     select environment, gift_id from gifts where organization_id = $1 and ${foldAddress('address')} = $2
     union
     select environment, gift_id from deliveries where organization_id = $1 and ${foldAddress('address')} = $2
     union
     select environment, gift_id from held
   ), gift as (
     select g.environment, g.gift_id, g.order_id, g.delivery_state as earlier_state,
       coalesce(${foldAddress('g.address')} = $2, false)
         or (g.environment, g.gift_id) in (select environment, gift_id from held) as is_own
     from gifts g join found f using (environment, gift_id)
     where g.organization_id = $1
     order by g.environment, g.gift_id
     for no key update of g
   ), forgotten as (
     update orders o set fingerprint = '${ERASED_FINGERPRINT}', metadata = null
     where o.organization_id = $1 and (o.environment, o.order_id) in (select environment, order_id from gift)
     returning 1
   ), code as (
     delete from notices where organization_id = $1 and kind in ('card_code', 'card_reopened') and ${foldAddress('recipient')} = $2 returning 1
   ), delivery as (
     update deliveries d
     set address = $3, reason = $4, provider_id = null,
       state = case d.state when 'pending' then 'failed' else d.state end,
       settled_at = case d.state when 'pending' then $5 else d.settled_at end
     from gift f
     where d.organization_id = $1 and d.environment = f.environment and d.gift_id = f.gift_id and ${foldAddress('d.address')} = $2
     returning d.state = 'failed' and d.settled_at = $5 as is_cancelled
   ), card as (
     ${eraseCard('gift')} and f.is_own
     returning k.environment, k.gift_id, k.state
   ), proof as (
     update card_proofs p set holder_address = null, sealed_code = null from held h
     where p.organization_id = $1 and p.environment = h.environment and p.gift_id = h.gift_id
   ), erased as (
     update gifts g
     set recipient_name = null, message = null, language = null, metadata = null,
       thanks = case when f.is_own then null else g.thanks end,
       external_id = case when strpos(${foldAddress('g.external_id')}, $2) > 0 then null else g.external_id end,
       address = case when ${foldAddress('g.address')} = $2 then $3 else g.address end,
       delivery_state = case when ${foldAddress('g.address')} = $2 and g.claimed_at is null and g.canceled_at is null
         then 'failed' else g.delivery_state end,
       is_waiting = case when ${foldAddress('g.address')} <> $2 then g.is_waiting end,
       claiming_at = case when exists (
         select from card c where c.environment = g.environment and c.gift_id = g.gift_id and c.state = 'refused'
       ) then null else g.claiming_at end
     from gift f
     where g.organization_id = $1 and g.environment = f.environment and g.gift_id = f.gift_id
     returning g.*, f.earlier_state, g.address <> $3 as is_elsewhere,
       g.opened_at is not null and g.claimed_at is null as is_unclaimed
   ), ${appendEvents(
     giftFacts('erased', '$5', [deliveryFailed(`g.delivery_state = 'failed' and g.earlier_state <> 'failed'`)]),
     ['forgotten', 'code', 'delivery'],
   )}
   select g.gifts, d.messages, d.messages_cancelled, g.gifts_elsewhere, g.gifts_unclaimed
   from (select count(*) as gifts, count(*) filter (where is_elsewhere) as gifts_elsewhere,
       count(*) filter (where is_unclaimed) as gifts_unclaimed from erased) g,
     (select count(*) as messages, count(*) filter (where is_cancelled) as messages_cancelled from delivery) d`,
);

/** Plans what the issuer of one gift's card has of its holder to be erased. */
export const eraseHolder = statement<[organizationId: string, environment: Environment, giftId: string, now: Date]>(
  'erasure.erase_holder',
  `update cards set erase_at = $4
   where organization_id = $1 and environment = $2 and gift_id = $3 and provider_id is not null and state <> 'refused'`,
);

/**
 * Erases the name, the message and the thank-you note of one gift, its metadata, the address that its holder entered, and what
 * its order's fingerprint would tell of them. Returns no row if the gift has none.
 */
export const eraseGiftName = statement<
  [organizationId: string, environment: Environment, giftId: string],
  { gift_id: string }
>(
  'erasure.erase_gift_name',
  `with gift as (
     update gifts set recipient_name = null, message = null, language = null, metadata = null, thanks = null
     where organization_id = $1 and environment = $2 and gift_id = $3
       and (recipient_name is not null or message is not null or metadata is not null or thanks is not null)
     returning environment, order_id, gift_id
   ), forgotten as (
     update orders o set fingerprint = '${ERASED_FINGERPRINT}', metadata = null from gift g
     where o.organization_id = $1 and o.environment = g.environment and o.order_id = g.order_id
   ), proof as (
     update card_proofs set holder_address = null, sealed_code = null
     where organization_id = $1 and environment = $2 and gift_id = $3 and holder_address is not null
     returning gift_id
   ), card as (
     update cards set holder_address = null
     where organization_id = $1 and environment = $2 and gift_id = $3 and holder_address is not null
     returning gift_id
   )
   select gift_id from gift union select gift_id from proof union select gift_id from card`,
);
