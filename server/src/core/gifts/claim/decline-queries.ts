import type { Environment } from '../../../platform/base/environment.ts';
import { statement } from '../../../platform/database/statement.ts';
import { appendEvents } from '../../../platform/events/append-events.ts';
import { declined, giftFacts } from '../../../platform/events/gift-facts.ts';
import { isNotClaiming, isNotHeld, unheldOrganization } from '../gift/held.ts';

export const declineGift = statement<
  [organizationId: string, environment: Environment, giftId: string, linkVersion: number, now: Date]
>(
  'redemption.decline',
  `with ${unheldOrganization}, gift as (
     update gifts set declined_at = $5
     where organization_id = $1 and environment = $2 and gift_id = $3 and link_version = $4
       and declined_at is null and claimed_at is null and canceled_at is null and ${isNotClaiming} and ${isNotHeld}
     returning *
   ), ${appendEvents(giftFacts('gift', '$5', [declined]))}
   select from fact`,
);
