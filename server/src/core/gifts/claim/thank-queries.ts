import type { Environment } from '../../../platform/base/environment.ts';
import { statement } from '../../../platform/database/statement.ts';
import { appendEvents } from '../../../platform/events/append-events.ts';
import { giftFacts, thanked } from '../../../platform/events/gift-facts.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

/** Stores the only note of a claimed gift, by its holder, with the event. */
export const insertThanks = statement<[...One, holderHash: Buffer, note: string, now: Date, erasedAddress: string]>(
  'redemption.thank',
  `with gift as (
     update gifts set thanks = $5, thanked_at = $6
     where organization_id = $1 and environment = $2 and gift_id = $3 and holder_hash = $4
       and claimed_at is not null and thanked_at is null and held_at is null and address is distinct from $7
     returning *
   ), ${appendEvents(giftFacts('gift', '$6', [thanked]))}
   select from fact`,
);
