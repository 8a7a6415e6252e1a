import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

const numbered = `select *, row_number() over (order by delivery_id)::integer as number from deliveries
   where organization_id = $1 and environment = $2 and gift_id = $3`;

/** A message about a gift, and its status. */
export interface GiftDelivery {
  /** Identifies the message within the gift, from 1. */
  number: number;
  channel: 'email' | 'phone';
  address: string;
  /** `pending`: not sent (always so in the sandbox); `sent`: a provider accepted it; the others come from webhook events. */
  state: 'pending' | 'sent' | 'delivered' | 'failed';
  /** Number of attempts. */
  tries: number;
  /** Why the message or the latest attempt failed. */
  reason: string | null;
  /** `smtp`, `twilio` or `outbox` (not sent: no mail server is configured); null until a provider accepts the message. */
  provider: string | null;
  created_at: Date;
  /** When a provider accepted it. */
  sent_at: Date | null;
  /** When it was delivered or failed. */
  settled_at: Date | null;
  /** Of a reminder: days after the order. */
  reminder_day: number | null;
}

/** Newest first. */
export const selectDeliveries = statement<[...One, limit: number], GiftDelivery>(
  'deliveries.list_of_gift',
  `select d.number, d.channel, d.address, d.state, d.tries, d.reason, d.provider, d.created_at, d.sent_at, d.settled_at,
     d.reminder_day
   from (${numbered}) d
   order by d.delivery_id desc limit $4`,
);

/** Finds the message of a gift by its number. */
export const selectDeliveryId = statement<[...One, number: number], { delivery_id: string }>(
  'deliveries.select_by_number',
  `select d.delivery_id from (${numbered}) d where d.number = $4`,
);
