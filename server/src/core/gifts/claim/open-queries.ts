import { statement } from '../../../platform/database/statement.ts';
import { appendEvents } from '../../../platform/events/append-events.ts';
import { delivered, giftFacts, opened } from '../../../platform/events/gift-facts.ts';
import { deliverPending } from '../../delivery/statement-parts.ts';
import { callerOfChange, changedGift, type FoundGift, type One, ownGift } from '../gift/queries.ts';

/** CTE: the gift before the change, locked, if the condition holds. */
export const earlierGift = (condition: string) =>
  `earlier as materialized (
     select delivery_state is not distinct from 'pending' as was_pending, opened_at is not null as was_opened from gifts
     where ${ownGift()} and ${condition}
     for no key update
   )`;

/** The first opening, with the delivery that it proves. */
export const openingFacts = [delivered('g.was_pending', 'g.was_opened'), opened('not g.was_opened')];

/** Stamps the first opening and settles a pending delivery. Returns no gift if it is canceled, not sent yet, or the link version outdated. */
export const openGift = statement<[...One, now: Date, linkVersion: number | null], FoundGift>(
  'gifts.open',
  `with ${callerOfChange()}, ${earlierGift('canceled_at is null and is_waiting is null and ($6::smallint is null or link_version = $6)')}, gift as (
     update gifts set opened_at = coalesce(opened_at, $5),
       delivery_state = case delivery_state when 'pending' then 'delivered' else delivery_state end
     from earlier where ${ownGift()}
     returning *
   ), delivery as (
     ${deliverPending('$5')}
   ), ${appendEvents(giftFacts('gift', '$5', openingFacts), ['delivery'])}
   ${changedGift}`,
);
