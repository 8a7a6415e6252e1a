import { statement } from '../../../platform/database/statement.ts';
import { appendEvents } from '../../../platform/events/append-events.ts';
import { delivered, deliveryFailed, giftFacts } from '../../../platform/events/gift-facts.ts';
import { settleDelivery } from '../../delivery/statement-parts.ts';
import { callerOfChange, changedGift, type FoundGift, type One, ownGift } from '../gift/queries.ts';

/** Settles a pending delivery, or a failed one that arrived after all; returns no gift if the state does not allow it. */
export const settleGiftDelivery = statement<[...One, outcome: 'delivered' | 'failed', now: Date], FoundGift>(
  'gifts.settle_delivery',
  `with ${callerOfChange()}, gift as (
     update gifts set delivery_state = $5::delivery_state
     where ${ownGift()}
       and opened_at is null and claimed_at is null and canceled_at is null and is_waiting is null
       and (delivery_state = 'pending' or delivery_state = 'failed' and $5 = 'delivered')
     returning *
   ), delivery as (
     ${settleDelivery('$5::delivery_progress', '$6')}
   ), ${appendEvents(
     giftFacts('gift', '$6', [
       delivered(`g.delivery_state = 'delivered'`),
       deliveryFailed(`g.delivery_state = 'failed'`),
     ]),
     ['delivery'],
   )}
   ${changedGift}`,
);
