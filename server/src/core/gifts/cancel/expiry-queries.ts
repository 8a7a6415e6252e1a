import type { Environment } from '../../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../../platform/database/statement.ts';
import { unheldOrganization } from '../gift/held.ts';
import { cancelableGifts, cancelTargets } from './cancel-statement.ts';

/** Days begin when a gift is sent. */
const isUnclaimed = 'g.claimed_at is null and g.canceled_at is null and g.is_waiting is null';

/** Finds organizations with gifts that expire by a time and are not announced, except those that had a mail since. */
export const selectUnannounced = statementOnEachShard<
  [expiresBefore: Date, announcedBefore: Date, limit: number],
  { organization_id: string }
>(
  'gifts.list_unannounced',
  'every minute looks at every organization',
  `select o.organization_id from organizations o
   where (o.expiry_announced_at is null or o.expiry_announced_at <= $2)
     and exists (
       select from gifts g
       where g.organization_id = o.organization_id and g.expiry_announced_at is null and g.expires_at <= $1 and ${isUnclaimed})
   order by o.organization_id limit $3`,
);

/** Returns no row if another process has claimed the announcement. */
export const claimAnnouncement = statement<
  [organizationId: string, announcedBefore: Date, now: Date],
  { name: string; billing_contact_email: string | null }
>(
  'organizations.claim_expiry_announcement',
  `update organizations o set expiry_announced_at = $3
   from organizations same
   left join members m on m.organization_id = $1 and m.member_id = same.billing_contact_member_id and m.deactivated_at is null
   where o.organization_id = $1 and same.organization_id = $1
     and (o.expiry_announced_at is null or o.expiry_announced_at <= $2)
   returning o.name, m.email as billing_contact_email`,
);

export interface AnnouncedRow {
  environment: Environment;
  gifts: number;
  amount_cents: number;
  first_expires_at: Date;
}

/** Marks gifts as announced, up to the limit. */
export const announceGifts = statement<
  [organizationId: string, expiresBefore: Date, now: Date, limit: number],
  AnnouncedRow
>(
  'gifts.announce_expiry',
  `with due as materialized (
     select g.environment, g.gift_id from gifts g
     where g.organization_id = $1 and g.expiry_announced_at is null and g.expires_at <= $2 and ${isUnclaimed}
     order by g.environment, g.gift_id limit $4
     for no key update
   ), announced as (
     update gifts g set expiry_announced_at = $3 from due d
     where g.organization_id = $1 and g.environment = d.environment and g.gift_id = d.gift_id
     returning g.organization_id, g.environment, g.amount_cents, g.expires_at
   )
   select environment, count(*)::integer as gifts, sum(amount_cents)::bigint as amount_cents,
     min(expires_at) as first_expires_at
   from announced where organization_id = $1 group by environment order by environment`,
);

/** Finds organizations with gifts that have expired since they were announced. */
export const selectExpired = statementOnEachShard<
  [announcedBefore: Date, now: Date, limit: number],
  { organization_id: string; environment: Environment }
>(
  'gifts.list_expired',
  'every minute looks at every organization',
  `select o.organization_id, e.environment
   from organizations o cross join unnest(enum_range(null::environment)) as e (environment)
   where o.gifts_held_at is null and exists (
     select from gifts g
     where g.organization_id = o.organization_id and g.environment = e.environment and g.held_at is null
       and g.expiry_announced_at <= $1 and g.expires_at <= $2 and ${isUnclaimed})
   order by o.organization_id limit $3`,
);

/**
 * Cancels announced gifts that have expired and are not on hold, up to the number of entry ids; the transaction has locked
 * the balance.
 */
export const expireGifts = statement<
  [
    organizationId: string,
    environment: Environment,
    announcedBefore: Date,
    now: Date,
    entryIds: readonly string[],
    limit: number,
  ],
  { gifts: number }
>(
  'gifts.expire',
  `with ${unheldOrganization}, target as materialized (
     ${cancelableGifts(
       `expiry_announced_at <= $3 and expires_at <= $4 and held_at is null and exists (select from unheld_organization)`,
       '$6',
     )}
   ), ${cancelTargets({ entryIds: '$5', reason: `'expired'`, now: '$4::timestamptz', event: 'gift.expired' })}
   select count(*)::integer as gifts from refund where organization_id = $1`,
);
