import type { Environment } from '../base/environment.ts';
import { type Queryable, statement } from '../database/statement.ts';

type One = [organizationId: string, environment: Environment, giftId: string, deliveryId: string];

/** A message about a gift, with everything that it says. */
export interface MessageRow {
  organization_id: string;
  environment: Environment;
  gift_id: string;
  delivery_id: string;
  channel: 'email' | 'phone';
  /** Where it goes: an email address or an E.164 number. */
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
  /** Whether this is the gift's latest delivery; links in earlier ones are dead. */
  is_latest: boolean;
  amount_cents: number;
  sender_name: string;
  recipient_name: string | null;
  category_name: string;
  artwork: string | null;
}

const messageColumns = `d.organization_id, d.environment, d.gift_id, d.delivery_id, d.channel, d.address, d.link_version,
  d.link_expires_at, d.state, d.tries, d.reason, d.provider, d.provider_id, d.created_at, d.sent_at, d.settled_at,
  g.delivery_id = d.delivery_id as is_latest, g.amount_cents, g.sender_name, g.recipient_name, c.name as category_name,
  c.artwork`;

const messageTables = (deliveries: string) => `${deliveries} d
   join gifts g on g.organization_id = d.organization_id and g.environment = d.environment and g.gift_id = d.gift_id
   join categories c on c.category_id = g.category_id`;

export const selectMessage = statement<One, MessageRow>(
  'deliveries.select_message',
  `select ${messageColumns} from ${messageTables('deliveries')}
   where d.organization_id = $1 and d.environment = $2 and d.gift_id = $3 and d.delivery_id = $4`,
);

/**
 * The latest messages of all organizations, or of the live ones those not accepted, newest first: for the operator's
 * outbox. Reads all messages, because an index in this order would be written to by every order, but the gifts of those it
 * shows only.
 */
export const selectLatestMessages = statement<[limit: number, failed: boolean], MessageRow>(
  'deliveries.select_latest_messages',
  `select ${messageColumns} from ${messageTables(`(
     select * from deliveries d
     where not $2::boolean
       or (d.environment = 'live' and (d.state = 'failed' or (d.state = 'pending' and d.tries > 0)))
     order by d.delivery_id desc limit $1
   )`)}
   order by d.delivery_id desc`,
);

/** What a provider accepted, as a row of the statement below. */
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
 * Providers accepted these messages (a JSON array of rows); nothing where a delivery was settled meanwhile. Gifts are
 * locked in order, as by the news that may already come of the same messages.
 */
export const recordAccepted = statement<[accepted: string]>(
  'deliveries.record_accepted',
  `with a as (
     select a.*
     from gifts g
     join jsonb_to_recordset($1::jsonb) as a (organization_id uuid, environment environment, gift_id uuid,
         delivery_id uuid, provider text, provider_id text, sent_at timestamptz)
       using (organization_id, environment, gift_id)
     order by organization_id, environment, gift_id
     for no key update of g
   )
   update deliveries d
   set state = 'sent', tries = d.tries + 1, reason = null, provider = a.provider, provider_id = a.provider_id,
     sent_at = a.sent_at
   from a
   where d.organization_id = a.organization_id and d.environment = a.environment and d.gift_id = a.gift_id
     and d.delivery_id = a.delivery_id and d.state = 'pending'`,
);

/** A try did not succeed; another one follows. */
export const recordTry = statement<[...One, reason: string]>(
  'deliveries.record_try',
  `update deliveries set tries = tries + 1, reason = $5
   where organization_id = $1 and environment = $2 and gift_id = $3 and delivery_id = $4 and state = 'pending'`,
);

/** What is told of one delivery. */
export interface DeliveryNewsRow {
  organization_id: string;
  environment: Environment;
  gift_id: string;
  delivery_id: string;
  /** Why it failed. */
  reason?: string;
  /** The news does not count against a delivery that is known to have arrived. */
  unless_delivered?: boolean;
  /** Nor against one that a provider has accepted. */
  unless_sent?: boolean;
}

/**
 * Messages arrived, so far as the provider knows; nothing where they were settled before: a failure is final. Gifts are
 * locked in order, so that news that comes in many calls at once never waits in a circle.
 *
 * @param news DeliveryNewsRow[] as JSON; each delivery once
 */
export const recordDelivered = statement<[news: string, now: Date]>(
  'deliveries.record_delivered',
  `with gift as (
     select n.*
     from gifts g
     join json_to_recordset($1) as n (organization_id uuid, environment environment, gift_id uuid, delivery_id uuid)
       using (organization_id, environment, gift_id)
     order by organization_id, environment, gift_id
     for no key update of g
   ), delivery as (
     update deliveries d set state = 'delivered', settled_at = $2 from gift n
     where d.organization_id = n.organization_id and d.environment = n.environment and d.gift_id = n.gift_id
       and d.delivery_id = n.delivery_id and d.state in ('pending', 'sent')
     returning d.organization_id, d.environment, d.gift_id, d.delivery_id
   )
   update gifts g set delivery_state = 'delivered' from delivery d
   where g.organization_id = d.organization_id and g.environment = d.environment and g.gift_id = d.gift_id
     and g.delivery_id = d.delivery_id and g.delivery_state = 'pending'`,
);

/**
 * Messages did not arrive, and never will. Of a gift that was opened or claimed, news of the message that was known to
 * have arrived is wrong or late and changes nothing; a later message, with a fresh link, has failed by itself and leaves
 * the gift as it is. Where another delivery has followed, the gift goes by that one.
 *
 * @param news DeliveryNewsRow[] as JSON; each delivery once
 */
export const recordFailures = statement<[news: string, now: Date]>(
  'deliveries.record_failures',
  `with gift as (
     select n.*, g.opened_at is null and g.claimed_at is null as is_unopened
     from gifts g
     join json_to_recordset($1) as n (organization_id uuid, environment environment, gift_id uuid, delivery_id uuid,
         reason text, unless_delivered boolean, unless_sent boolean)
       using (organization_id, environment, gift_id)
     order by organization_id, environment, gift_id
     for no key update of g
   ), delivery as (
     update deliveries d set state = 'failed', reason = n.reason, settled_at = $2 from gift n
     where d.organization_id = n.organization_id and d.environment = n.environment and d.gift_id = n.gift_id
       and d.delivery_id = n.delivery_id
       and (d.state = 'pending'
         or n.unless_sent is not true and (d.state = 'sent'
           or d.state = 'delivered' and n.is_unopened and n.unless_delivered is not true))
     returning d.organization_id, d.environment, d.gift_id, d.delivery_id
   )
   update gifts g set delivery_state = 'failed' from delivery d
   where g.organization_id = d.organization_id and g.environment = d.environment and g.gift_id = d.gift_id
     and g.delivery_id = d.delivery_id and g.opened_at is null and g.claimed_at is null`,
);

/** One message could not be sent; nothing where its delivery is not pending any more. */
export function recordFailed(
  database: Queryable,
  [organization_id, environment, gift_id, delivery_id, reason, now]: [...One, reason: string, now: Date],
): Promise<never[]> {
  const news: DeliveryNewsRow[] = [{ organization_id, environment, gift_id, delivery_id, reason, unless_sent: true }];
  return recordFailures(database, [JSON.stringify(news), now]);
}
