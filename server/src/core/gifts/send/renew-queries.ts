import type { Environment } from '../../../platform/base/environment.ts';
import { statement } from '../../../platform/database/statement.ts';
import { insertMessageJobs } from '../../../platform/jobs/insert-jobs.ts';
import { isNotClaiming, isNotHeld, unheldOrganization } from '../gift/held.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

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
   where d.organization_id = $1 and d.environment = $2 and d.gift_id = $3 and d.link_version = $4 and d.reminder_day is null
     and exists (
       select from deliveries e
       where e.organization_id = d.organization_id and e.environment = d.environment and e.gift_id = d.gift_id
         and e.link_version = d.link_version and e.delivery_id < d.delivery_id)`,
);

/** Adds a message with a new link, and its job. Does nothing if the gift was redirected, its address was erased or failed, or it is on hold or canceled. */
export const renewLink = statement<
  [
    ...One,
    linkVersion: number,
    deliveryId: string,
    linkExpiresAt: Date,
    now: Date,
    erasedAddress: string,
    traceparent: string | undefined,
  ]
>(
  'redemption.renew_link',
  `with ${unheldOrganization}, gift as (
     update gifts set delivery_id = $5, delivery_state = 'pending', link_expires_at = $6
     where organization_id = $1 and environment = $2 and gift_id = $3 and link_version = $4
       and delivery_state in ('pending', 'delivered') and address <> $8 and canceled_at is null and is_waiting is null
       and ${isNotClaiming}
       and ${isNotHeld}
     returning *
   ), delivery as (
     insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address, link_version,
       link_expires_at, state, created_at)
     select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
       link_expires_at, 'pending', $7
     from gift
     returning *
   )
   ${insertMessageJobs('select *, $9::text as traceparent from delivery where organization_id = $1')}`,
);
