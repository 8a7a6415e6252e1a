import type { Environment } from '../base/environment.ts';
import { statement } from '../database/statement.ts';

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

const messageTables = `deliveries d
   join gifts g on g.organization_id = d.organization_id and g.environment = d.environment and g.gift_id = d.gift_id
   join categories c on c.category_id = g.category_id`;

export const selectMessage = statement<One, MessageRow>(
  'deliveries.select_message',
  `select ${messageColumns} from ${messageTables}
   where d.organization_id = $1 and d.environment = $2 and d.gift_id = $3 and d.delivery_id = $4`,
);

/** The latest messages of all organizations, newest first: for the operator's outbox. */
export const selectLatestMessages = statement<[limit: number], MessageRow>(
  'deliveries.select_latest_messages',
  `select ${messageColumns} from ${messageTables} order by d.delivery_id desc limit $1`,
);

/** A provider accepted the message; no row where the delivery was settled meanwhile. */
export const recordAccepted = statement<
  [...One, provider: string, providerId: string | null, now: Date],
  { delivery_id: string }
>(
  'deliveries.record_accepted',
  `update deliveries set state = 'sent', tries = tries + 1, reason = null, provider = $5, provider_id = $6, sent_at = $7
   where organization_id = $1 and environment = $2 and gift_id = $3 and delivery_id = $4 and state = 'pending'
   returning delivery_id`,
);

/** A try did not succeed; another one follows. */
export const recordTry = statement<[...One, reason: string]>(
  'deliveries.record_try',
  `update deliveries set tries = tries + 1, reason = $5
   where organization_id = $1 and environment = $2 and gift_id = $3 and delivery_id = $4 and state = 'pending'`,
);

/** The message arrived, so far as the provider knows; nothing where it was settled before. */
export const recordDelivered = statement<[...One, now: Date], { delivery_id: string }>(
  'deliveries.record_delivered',
  `with delivery as (
     update deliveries set state = 'delivered', settled_at = $5
     where organization_id = $1 and environment = $2 and gift_id = $3 and delivery_id = $4
       and state in ('pending', 'sent')
     returning *
   ), gift as (
     update gifts g set delivery_state = 'delivered' from delivery d
     where g.organization_id = d.organization_id and g.environment = d.environment and g.gift_id = d.gift_id
       and g.delivery_id = d.delivery_id and g.delivery_state = 'pending'
   )
   select delivery_id from delivery`,
);

/**
 * The message did not arrive, and never will. After the gift was opened or claimed the news is wrong or late and changes
 * nothing; nor does it where another delivery has followed this one.
 */
export const recordFailed = statement<[...One, reason: string, now: Date], { delivery_id: string }>(
  'deliveries.record_failed',
  `with gift as (
     update gifts g set delivery_state = 'failed'
     where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3 and g.delivery_id = $4
       and g.opened_at is null and g.claimed_at is null and g.delivery_state in ('pending', 'delivered')
     returning organization_id, environment, gift_id, delivery_id
   )
   update deliveries d set state = 'failed', reason = $5, settled_at = $6 from gift g
   where d.organization_id = g.organization_id and d.environment = g.environment and d.gift_id = g.gift_id
     and d.delivery_id = g.delivery_id
   returning d.delivery_id`,
);
