import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';
import type { GiftDelivery } from './list-deliveries.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

const numbered = `select *, row_number() over (order by delivery_id)::integer as number from deliveries
   where organization_id = $1 and environment = $2 and gift_id = $3`;

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
