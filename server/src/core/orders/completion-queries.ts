import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { unheldOrganization } from '../gifts/gift/held.ts';
import { factsOfSteered, gifts, insertGifts, insertMessages, returningGift } from '../gifts/place/statement-parts.ts';

type Owner = [organizationId: string, environment: Environment];

/** Waits for the balance's lock, which an order or a reset may hold. */
export const lockBalance = statement<Owner, { balance_cents: number }>(
  'orders.lock_balance',
  'select balance_cents from balances where organization_id = $1 and environment = $2 for update',
);

/**
 * Creates the pending gifts of a processing order and ends its processing; does nothing if that was done. While the
 * organization's gifts are on hold, its steered gifts begin unclaimed.
 */
export const completeOrder = statement<[...Owner, orderId: string, now: Date], { order_id: string }>(
  'orders.complete',
  `with ${unheldOrganization}, due as (
    select organization_id, environment, order_id, grant_id, sender_member_id, created_at, pending_gifts from orders
    where organization_id = $1 and environment = $2 and order_id = $3 and pending_gifts is not null
    for update
  ), gift as (
    ${insertGifts(
      `sender_member_id, sender_name, expires_at, ${gifts.names}`,
      `select d.organization_id, d.environment, d.order_id, d.grant_id, d.created_at, d.sender_member_id, g.sender_name, g.expires_at, ${gifts.ofGift}
    from due d, jsonb_to_recordset(case when exists (select from unheld_organization) then d.pending_gifts else (
      select jsonb_agg(p - '{claimed_at,card_id}'::text[] || '{"spent_cents": 0}') from jsonb_array_elements(d.pending_gifts) p
    ) end) as g (${gifts.columns}, expires_at timestamptz)`,
    )}
    ${returningGift}
  ), delivery as (
    ${insertMessages} and is_waiting is null
  ), ${appendEvents(`select organization_id, environment, 'order.processed' as type, order_id, null::uuid as gift_id,
        '{"status": "processed"}'::jsonb as data, $4::timestamptz as created_at, 0 as position
      from due
      union all
      ${factsOfSteered('gift', '$4')}`)}
  update orders o set completes_at = null, pending_gifts = null
  from due d
  where o.organization_id = d.organization_id and o.environment = d.environment and o.order_id = d.order_id
    and o.organization_id = $1 and o.environment = $2
  returning o.order_id`,
);
