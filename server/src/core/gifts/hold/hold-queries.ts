import type { Environment } from '../../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../../platform/database/statement.ts';
import { appendEvents } from '../../../platform/events/append-events.ts';
import { giftFacts, held, released } from '../../../platform/events/gift-facts.ts';
import { type HeldBy, heldBy, isNotClaiming, isNotHeld, unheldOrganization } from '../gift/held.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

export const selectHold = statement<One, { held_by: HeldBy; canceled_at: Date | null; claiming_at: Date | null }>(
  'gifts.select_hold',
  `select ${heldBy}, g.canceled_at, g.claiming_at from gifts g where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3`,
);

/** Makes a new hold wait for the end of this transaction. Returns no row if the gift is on hold or canceled. */
export const lockUnheld = statement<One, { gift_id: string }>(
  'gifts.lock_unheld',
  `with ${unheldOrganization}
   select gift_id from gifts
   where organization_id = $1 and environment = $2 and gift_id = $3 and canceled_at is null and ${isNotHeld}
   for share`,
);

/** Returns no row if the gift is held already or canceled, or does not exist. */
export const holdGift = statement<[...One, now: Date], { gift_id: string }>(
  'gifts.hold',
  `update gifts set held_at = $4
   where organization_id = $1 and environment = $2 and gift_id = $3 and held_at is null and canceled_at is null
     and ${isNotClaiming}
   returning gift_id`,
);

/** Returns no row if the gift is not held by itself or is canceled, or does not exist. */
export const releaseGift = statement<One, { gift_id: string }>(
  'gifts.release',
  `update gifts set held_at = null
   where organization_id = $1 and environment = $2 and gift_id = $3 and held_at is not null and canceled_at is null
   returning gift_id`,
);

const appendFact = (name: string, fact: typeof held) =>
  statement<[...One, now: Date], { last_sequence: number }>(
    name,
    `with gift as (
       select * from gifts where organization_id = $1 and environment = $2 and gift_id = $3
     ), ${appendEvents(giftFacts('gift', '$4::timestamptz', [fact]))}
     select last_sequence from event_counter where organization_id = $1`,
  );

export const appendHeld = appendFact('gifts.append_held', held);
export const appendReleased = appendFact('gifts.append_released', released);

export const selectGiftOwner = statementOnEachShard<
  [giftId: string],
  { organization_id: string; environment: Environment }
>(
  'gifts.select_owner',
  'the operator names a gift by its id alone',
  // Joined from organizations, because a gift's primary key begins with its organization.
  `select o.organization_id, g.environment from organizations o
   join gifts g on g.organization_id = o.organization_id and g.environment in ('live', 'sandbox') and g.gift_id = $1`,
);
