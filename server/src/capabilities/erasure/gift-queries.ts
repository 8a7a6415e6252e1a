import type { ErasedCounts } from '../../core/address-owner.ts';
import { eraseProofs } from '../../core/card-proofs/statement-parts.ts';
import { eraseCards, eraseHolderAddress, eraseHolderAt } from '../../core/cards/statement-parts.ts';
import { eraseDeliveries } from '../../core/delivery/statement-parts.ts';
import { giftsOfAddress, isTheirs } from '../../core/gifts/gift/gifts-of-address.ts';
import { eraseWords } from '../../core/gifts/gift/statement-parts.ts';
import { deleteCardNotices } from '../../core/notices/statement-parts.ts';
import { forgetRecipients } from '../../core/orders/statement-parts.ts';
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
 * Erases gifts and messages that ever went to the address, link gifts whose holder entered it, and what their orders'
 * fingerprints, metadata and codes would tell of it.
 * Pending messages fail, so that no worker sends them. Locks gifts in the same order as the delivery webhooks do.
 */
export const eraseGifts = statement<[...Recipient, reason: string, now: Date], ErasedRow>(
  'erasure.erase_gifts',
  `with ${giftsOfAddress}, gift as (
     select g.environment, g.gift_id, g.order_id, g.delivery_state as earlier_state,
       ${isTheirs} as is_own
     from gifts g join found f using (environment, gift_id)
     where g.organization_id = $1
     order by g.environment, g.gift_id
     for no key update of g
   ), forgotten as (
     ${forgetRecipients('select environment, order_id from gift')}
   ), code as (
     ${deleteCardNotices('$2')}
   ), delivery as (
     ${eraseDeliveries({ address: '$3', reason: '$4', now: '$5', condition: `${foldAddress('d.address')} = $2` })}
     returning d.state = 'failed' and d.settled_at = $5 as is_cancelled
   ), card as (
     ${eraseCards('gift', '$5')} and f.is_own
     returning k.environment, k.gift_id, k.state
   ), proof as (
     ${eraseProofs('held')}
   ), erased as (
     ${eraseWords},
       thanks = case when f.is_own then null else g.thanks end,
       external_id = case when strpos(${foldAddress('g.external_id')}, $2) > 0 then null else g.external_id end,
       address = case when ${foldAddress('g.address')} = $2 then $3 else g.address end,
       erased_at = case when ${foldAddress('g.address')} = $2 then $5 else g.erased_at end,
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
  eraseHolderAt('$4'),
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
     ${eraseWords}, thanks = null
     where organization_id = $1 and environment = $2 and gift_id = $3
       and (recipient_name is not null or message is not null or metadata is not null or thanks is not null)
     returning environment, order_id, gift_id
   ), forgotten as (
     ${forgetRecipients('select environment, order_id from gift')}
   ), proof as (
     ${eraseProofs('(select $2::environment as environment, $3::uuid as gift_id)')}
   ), card as (
     ${eraseHolderAddress}
   )
   select gift_id from gift union select gift_id from proof union select gift_id from card`,
);
