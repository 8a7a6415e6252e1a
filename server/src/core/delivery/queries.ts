import type { Environment } from '../../platform/base/environment.ts';
import type { Program } from '../../platform/base/program.ts';
import { type Queryable, statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { delivered, deliveryFailed, giftFacts, sent } from '../../platform/events/gift-facts.ts';
import { insertMessageJobs } from '../../platform/jobs/insert-jobs.ts';
import { type NamedCategory, namingColumns } from '../catalog/category-names.ts';
import { brandColumn, type Face, joinBrand } from '../face/face.ts';
import { joinSender, type Sender, senderColumn } from '../face/sender.ts';
import { type GiftColumns, giftColumnsOf } from '../gifts/gift/gift-fields.ts';
import { deliverGifts, failGifts } from '../gifts/gift/statement-parts.ts';
import { holderOf, isReminderWanted } from './reminder-wanted.ts';
import { WITHDRAWN } from './withdrawn.ts';

type One = [organizationId: string, environment: Environment, giftId: string, deliveryId: string];

/** A message about a gift, with all of its content. */
export interface MessageRow extends GiftColumns<'message'>, NamedCategory {
  organization_id: string;
  environment: Environment;
  gift_id: string;
  delivery_id: string;
  channel: 'email' | 'phone';
  /** An email address or an E.164 number. */
  address: string;
  link_version: number;
  link_expires_at: Date;
  state: 'pending' | 'sent' | 'delivered' | 'failed';
  tries: number;
  reason: string | null;
  provider: string | null;
  provider_id: string | null;
  created_at: Date;
  sent_at: Date | null;
  settled_at: Date | null;
  /** Whether this is the gift's latest delivery; the links of earlier ones are revoked. */
  is_latest: boolean;
  is_canceled: boolean;
  /** Days after the order; null: not a reminder. */
  reminder_day: number | null;
  /** Whether it would still be right to send this message as a reminder. */
  is_reminder_wanted: boolean;
  organization_language: string | null;
  /** The organization's, now. */
  program: Program;
  organization_name: string;
  /** Whether the message names amount and category. */
  messages_show_value: boolean;
  artwork: string | null;
  /** Of the organization. */
  brand: Face | null;
  /** Undefined in a preview. */
  sender?: Sender | null;
}

const messageColumns = `d.organization_id, d.environment, d.gift_id, d.delivery_id, d.channel, d.address, d.link_version,
  d.link_expires_at, d.state, d.tries, d.reason, d.provider, d.provider_id, d.created_at, d.sent_at, d.settled_at,
  g.delivery_id = d.delivery_id as is_latest, g.canceled_at is not null as is_canceled, d.reminder_day, ${isReminderWanted} as is_reminder_wanted, ${giftColumnsOf('message')},
  o.language as organization_language, ${namingColumns('c')}, c.artwork, o.program, o.name as organization_name, o.messages_show_value, ${brandColumn}, ${senderColumn}`;

const messageTables = (deliveries: string) => `${deliveries} d
   join gifts g on g.organization_id = d.organization_id and g.environment = d.environment and g.gift_id = d.gift_id
   join categories c on c.category_id = g.category_id
   join organizations o on o.organization_id = d.organization_id
   ${joinBrand}
   ${joinSender}`;

export const selectMessage = statement<One, MessageRow>(
  'deliveries.select_message',
  `select ${messageColumns} from ${messageTables('deliveries')}
   where d.organization_id = $1 and d.environment = $2 and d.gift_id = $3 and d.delivery_id = $4`,
);

/**
 * Lists the latest messages of all organizations for the operator's outbox, newest first; with `failed`, only live ones
 * that no provider accepted. Scans the whole table, because an index in this order would slow every order.
 */
export const selectLatestMessages = statementOnEachShard<[limit: number, failed: boolean], MessageRow>(
  'deliveries.select_latest_messages',
  'the operator’s outbox shows every organization',
  `select ${messageColumns} from ${messageTables(`(
     select * from deliveries d
     where not $2::boolean
       or (d.environment = 'live' and (d.state = 'failed' or (d.state = 'pending' and d.tries > 0)))
     order by d.delivery_id desc limit $1
   )`)}
   order by d.delivery_id desc`,
);

/** A message that a provider accepted. */
export interface AcceptedRow {
  organization_id: string;
  environment: Environment;
  gift_id: string;
  delivery_id: string;
  provider: string;
  provider_id: string | null;
  sent_at: Date;
}

/**
 * Records accepted messages (a JSON array of rows); skips deliveries that were settled before, except by a cancellation, and
 * those that `sendRefusedAgain` was faster about. Locks gifts in order, as
 * webhook events for the same messages do.
 */
export const recordAccepted = statementOnEachShard<[accepted: string]>(
  'deliveries.record_accepted',
  'a commit records messages of many organizations; each shard finds its own',
  `with a as (
     select a.*, g.delivery_id = a.delivery_id as is_latest, g.order_id, g.delivery_state, g.opened_at, g.claimed_at
     from gifts g
     join jsonb_to_recordset($1::jsonb) as a (organization_id uuid, environment environment, gift_id uuid,
         delivery_id uuid, provider text, provider_id text, sent_at timestamptz)
       using (organization_id, environment, gift_id)
     order by organization_id, environment, gift_id
     for no key update of g
   ), delivery as (
     update deliveries d
     set state = 'sent', tries = d.tries + 1, reason = null, provider = a.provider, provider_id = a.provider_id,
       sent_at = a.sent_at, settled_at = null
     from a
     where d.organization_id = a.organization_id and d.environment = a.environment and d.gift_id = a.gift_id
       and d.delivery_id = a.delivery_id and (d.state = 'pending' or d.reason = '${WITHDRAWN}')
       and (a.provider_id is null or d.provider_id is distinct from a.provider_id)
     returning a.*
   ), ${appendEvents(giftFacts('delivery', 'g.sent_at', [sent('g.is_latest')]))}
   select from fact`,
);

/** Records a failed attempt that will be retried. */
export const recordTry = statement<[...One, reason: string]>(
  'deliveries.record_try',
  `update deliveries set tries = tries + 1, reason = $5
   where organization_id = $1 and environment = $2 and gift_id = $3 and delivery_id = $4 and state = 'pending'`,
);

/** A webhook event for one delivery. */
export interface DeliveryEventRow {
  environment: Environment;
  gift_id: string;
  delivery_id: string;
  /** Why it failed. */
  reason?: string;
  /** Ignore the failure if the message is known to be delivered. */
  unless_delivered?: boolean;
  /** Ignore the failure if a provider accepted the message. */
  unless_sent?: boolean;
}

/**
 * Marks an organization's messages as delivered, except settled ones: a failure is final. Locks gifts in order, so that
 * simultaneous webhook calls never deadlock.
 *
 * @param events DeliveryEventRow[] as JSON; each delivery once
 */
export const recordDelivered = statement<[organizationId: string, events: string, now: Date]>(
  'deliveries.record_delivered',
  `with gift as (
     select n.*
     from gifts g
     join json_to_recordset($2) as n (environment environment, gift_id uuid, delivery_id uuid)
       using (environment, gift_id)
     where g.organization_id = $1
     order by environment, gift_id
     for no key update of g
   ), delivery as (
     update deliveries d set state = 'delivered', settled_at = $3 from gift n
     where d.organization_id = $1 and d.environment = n.environment and d.gift_id = n.gift_id
       and d.delivery_id = n.delivery_id and d.state in ('pending', 'sent')
     returning d.environment, d.gift_id, d.delivery_id
   ), changed as (
     ${deliverGifts('delivery')}
   ), ${appendEvents(giftFacts('changed', '$3', [delivered('true', 'g.opened_at is not null')]))}
   select from fact`,
);

/**
 * Marks an organization's messages as failed for good. If the gift was opened or claimed, a delivered message stays delivered; a later
 * message can still fail, which leaves the gift unchanged. Only the gift's latest delivery changes the gift's state. A
 * redirect whose message no provider accepted does not count.
 *
 * @param events DeliveryEventRow[] as JSON; each delivery once
 */
export const recordFailures = statement<[organizationId: string, events: string, now: Date]>(
  'deliveries.record_failures',
  `with gift as (
     select n.*, g.opened_at is null and g.claimed_at is null as is_unopened,
       g.delivery_id = n.delivery_id and g.delivery_state <> 'failed' and g.opened_at is null and g.claimed_at is null
         and g.canceled_at is null as fails
     from gifts g
     join json_to_recordset($2) as n (environment environment, gift_id uuid, delivery_id uuid, reason text,
         unless_delivered boolean, unless_sent boolean)
       using (environment, gift_id)
     where g.organization_id = $1
     order by environment, gift_id
     for no key update of g
   ), delivery as (
     update deliveries d set state = 'failed', reason = n.reason, settled_at = $3 from gift n
     where d.organization_id = $1 and d.environment = n.environment and d.gift_id = n.gift_id
       and d.delivery_id = n.delivery_id
       and (d.state = 'pending'
         or n.unless_sent is not true and (d.state = 'sent'
           or d.state = 'delivered' and n.is_unopened and n.unless_delivered is not true))
     returning d.environment, d.gift_id, n.fails, d.counts_as_redirect is true and n.unless_sent is true as never_left
   ), changed as (
     ${failGifts(`select environment, gift_id, bool_or(fails) as fails, count(*) filter (where never_left) as never_left
       from delivery group by environment, gift_id`)}
   ), ${appendEvents(giftFacts('changed', '$3', [deliveryFailed('g.fails')]))}
   select from fact`,
);

/** An accepted message that the provider refused later because of the service's account. */
export interface AccountRefusalRow extends Omit<DeliveryEventRow, 'unless_delivered' | 'unless_sent'> {
  reason: string;
  provider_id: string;
}

/** Longer than the queue's own: a person has to correct the account. */
const NEXT_TRY = "least(interval '2 seconds' * 2 ^ least(m.tries, 11), interval '1 hour')";

/**
 * Makes messages pending again, once for each that the provider accepted, and adds their jobs. The id of the refused
 * message stays, so that an acceptance that is recorded later changes nothing.
 *
 * @param refusals AccountRefusalRow[] as JSON; each delivery once
 */
export const sendRefusedAgain = statement<[organizationId: string, refusals: string], { channel: 'email' | 'phone' }>(
  'deliveries.send_refused_again',
  `with gift as (
     select n.*
     from gifts g
     join json_to_recordset($2) as n (environment environment, gift_id uuid, delivery_id uuid, reason text,
         provider_id text)
       using (environment, gift_id)
     where g.organization_id = $1
     order by environment, gift_id
     for no key update of g
   ), delivery as (
     update deliveries d set state = 'pending', reason = n.reason, provider_id = n.provider_id, sent_at = null from gift n
     where d.organization_id = $1 and d.environment = n.environment and d.gift_id = n.gift_id
       and d.delivery_id = n.delivery_id
       and (d.state = 'sent' and d.provider_id = n.provider_id
         or d.state = 'pending' and d.provider_id is distinct from n.provider_id)
     returning d.*
   ), job as (
     ${insertMessageJobs('select *, null::text as traceparent from delivery', NEXT_TRY)}
   )
   select channel from delivery`,
);

/** Marks one message as failed if it is still pending. */
export function recordFailed(
  database: Queryable,
  [organizationId, environment, gift_id, delivery_id, reason, now]: [...One, reason: string, now: Date],
): Promise<never[]> {
  const events: DeliveryEventRow[] = [{ environment, gift_id, delivery_id, reason, unless_sent: true }];
  return recordFailures(database, [organizationId, JSON.stringify(events), now]);
}

/** Changes nothing if the address gets no reminders already. */
export const insertUnsubscribed = statement<[organizationId: string, address: string, now: Date]>(
  'reminders.insert_unsubscribed',
  `insert into unsubscribed (organization_id, holder, created_at) values ($1, ${holderOf('$1::uuid', '$2::text')}, $3)
   on conflict (organization_id, holder) do nothing`,
);
