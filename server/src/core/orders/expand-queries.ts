import type { Environment } from '../../platform/base/environment.ts';
import { coalescedStatement } from '../../platform/database/coalesced-statement.ts';
import type { OrderedByRow } from './ordered-by.ts';

export interface OrderHistoryRow extends OrderedByRow {
  order_id: string;
  created_at: Date;
  amount_cents: number;
}

/** Selects orders that the caller has just read. @param orderIds UUIDs as JSON */
export const selectHistories = coalescedStatement<
  [organizationId: string, environment: Environment, orderIds: string],
  OrderHistoryRow
>({
  name: 'orders.expand_history',
  types: ['uuid', 'environment', 'jsonb'],
  text: ([organizationId = '', environment = '', orderIds]) =>
    `select o.order_id, o.created_at, o.amount_cents, o.idempotency_key, o.key_id, k.name as key_name, o.grant_id, a.name as grant_name, m.member_id, m.email as member_email
   from jsonb_array_elements_text(${orderIds}) as wanted (id)
   cross join lateral (
     select * from orders
     where organization_id = ${organizationId} and environment = ${environment} and order_id = wanted.id::uuid
     limit 1
   ) o
   join members m on m.organization_id = o.organization_id and m.member_id = coalesce(o.sender_member_id, o.member_id)
   left join api_keys k on k.organization_id = o.organization_id and k.key_id = o.key_id
   left join agent_grants a on a.organization_id = o.organization_id and a.grant_id = o.grant_id`,
});
