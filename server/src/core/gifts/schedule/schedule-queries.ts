import {
  type CallerParameters,
  type CallerRow,
  caller,
  callerColumns,
} from '../../../platform/authentication/caller.ts';
import { sandboxLocked } from '../../../platform/authentication/sandbox-locked.ts';
import type { Environment } from '../../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../../platform/database/statement.ts';
import { appendEvents } from '../../../platform/events/append-events.ts';
import { giftFacts, steeredFacts } from '../../../platform/events/gift-facts.ts';
import { insertMessageJobs } from '../../../platform/jobs/insert-jobs.ts';
import { isNotHeld, unheldOrganization } from '../gift/held.ts';
import { callerOfChange, changedGift, type FoundGift, type GiftState, type One, ownGift } from '../gift/queries.ts';

/** Expires as many days after the new time; both ends are ends of days in UTC. */
const expiresAfter = (time: string) =>
  `g.expires_at + make_interval(secs =>
         extract(epoch from date_trunc('day', ${time}, 'UTC') - date_trunc('day', g.scheduled_for, 'UTC'))::double precision)`;

/** Changes when a waiting gift is sent. Returns no gift if it does not wait or is on hold. */
export const rescheduleGift = statement<[...One, sendAt: Date, linkExpiresAt: Date], FoundGift>(
  'gifts.reschedule',
  `with ${callerOfChange('manage')}, ${unheldOrganization}, gift as (
     update gifts g set scheduled_for = $5, link_expires_at = $6, expires_at = ${expiresAfter('$5::timestamptz')}
     where ${ownGift('g')} and is_waiting and ${isNotHeld}
     returning *
   )
   ${changedGift}`,
);

/** Finds organizations with waiting gifts whose time has come, unless they are on hold. */
export const selectDueOrganizations = statementOnEachShard<
  [now: Date, limit: number],
  { organization_id: string; environment: Environment }
>(
  'gifts.list_due_organizations',
  'every minute looks at every organization',
  `select o.organization_id, e.environment
   from organizations o cross join unnest(enum_range(null::environment)) as e (environment)
   where o.gifts_held_at is null and exists (
     select from gifts g
     where g.organization_id = o.organization_id and g.environment = e.environment and g.is_waiting
       and g.scheduled_for <= $1 and g.held_at is null)
   order by o.organization_id limit $2`,
);

/** Columns that say where a gift goes, which in the sandbox steers it. */
export interface WaitingRow {
  gift_id: string;
  method: 'email' | 'phone';
  address: string;
}

/** Locks due gifts, earliest first; skips those that another act has locked, such as a cancellation. */
export const lockDueGifts = statement<
  [...CallerParameters, now: Date, limit: number],
  CallerRow & (WaitingRow | { gift_id: null })
>(
  'gifts.lock_due',
  `with ${caller({ states: sandboxLocked })}, ${unheldOrganization}, due as materialized (
     select gift_id, method, address from gifts
     where organization_id = $1 and environment = $2 and is_waiting and scheduled_for <= $4 and ${isNotHeld}
       and (select caller_state from caller) = 'admitted'
     order by scheduled_for, gift_id limit $5
     for no key update skip locked
   )
   select ${callerColumns}, due.* from caller left join due on true`,
);

/** The state that a gift begins in when it is sent: pending, or further if its address steers it. */
export interface SentRecord extends GiftState {
  /** From 0; the events are in this order. */
  n: number;
  gift_id: string;
  delivery_id: string;
  card_id: string | null;
  is_spent: boolean;
}

/**
 * Sends waiting gifts that the transaction has locked: adds their messages with the jobs, as an order does.
 *
 * @param gifts SentRecord[] as JSON
 */
export const sendWaiting = statement<
  [
    organizationId: string,
    environment: Environment,
    gifts: string,
    linkExpiresAt: Date,
    now: Date,
    traceparent: string | undefined,
  ],
  { gifts: number }
>(
  'gifts.send_waiting',
  `with gift as (
     update gifts g set is_waiting = null, delivery_id = r.delivery_id, delivery_state = r.delivery_state,
       opened_at = r.opened_at, claimed_at = r.claimed_at, card_id = r.card_id,
       spent_cents = case when r.is_spent then g.amount_cents else 0 end, link_expires_at = $4,
       expires_at = ${expiresAfter('$5::timestamptz')}
     from json_to_recordset($3) as r (n smallint, gift_id uuid, delivery_id uuid, delivery_state delivery_state, opened_at timestamptz,
       claimed_at timestamptz, card_id uuid, is_spent boolean)
     where g.organization_id = $1 and g.environment = $2 and g.gift_id = r.gift_id and g.is_waiting
     returning g.*, r.n
   ), delivery as (
     insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address, link_version,
       link_expires_at, state, created_at)
     select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
       link_expires_at, delivery_state::text::delivery_progress, $5
     from gift
     returning *
   ), job as (
     ${insertMessageJobs('select *, $6::text as traceparent from delivery')}
   ), ${appendEvents(giftFacts('gift', '$5', steeredFacts, '10 * g.n'), ['delivery'])}
   select count(*)::integer as gifts from gift where organization_id = $1`,
);
