import { insertRequests } from '../../core/approvals/statement-parts.ts';
import type { OrderInputBody } from '../../core/orders/schema.ts';
import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import { statement } from '../../platform/database/statement.ts';
import type { RequestState } from './schema.ts';
import { orderOf, ruleOf } from './statement-parts.ts';

// Statements of agents. A request is seen only with the grant that asked.

const ofGrant = caller({ needs: 'order', columns: 'a.grant_id, a.name as agent_name, a.ask_above_cents,' });

export interface AskedRow {
  request_id: string;
  state: RequestState | 'approving';
  amount_cents: number;
  /** Null once it is decided. */
  gift: OrderInputBody | null;
  reason: string | null;
  created_at: Date;
  /** Also of an order that a crash kept from being noted. */
  order_id: string | null;
}

type FoundRow = CallerRow & { ask_above_cents: number | null } & (AskedRow | { request_id: null });

const selectAsked = (condition: string) =>
  `with ${ofGrant}
   select ${callerColumns}, caller.ask_above_cents, r.request_id, r.state, r.amount_cents, r.gift, r.reason, r.created_at,
     coalesce(r.order_id, ${orderOf('$1')}) as order_id
   from caller left join gift_requests r on r.organization_id = $1 and r.environment = $2
     and r.grant_id = caller.grant_id and caller.caller_state = 'admitted' and ${condition}`;

export const selectAskedWith = statement<[...CallerParameters, orderKey: string], FoundRow>(
  'gift_requests.select_of_token',
  selectAsked('r.order_key = $4'),
);

export const selectAskedOne = statement<[...CallerParameters, requestId: string], FoundRow>(
  'gift_requests.select_of_agent',
  selectAsked('r.request_id = $4'),
);

interface InsertedRow extends CallerRow {
  agent_name: string;
  /** Null if the order needs no approval, was asked for or placed before, or too many wait. */
  request_id: string | null;
  is_full: boolean;
}

export const insertAsked = statement<
  [
    ...CallerParameters,
    requestId: string,
    orderKey: string,
    amountCents: number,
    order: string,
    createdAt: Date,
    mostOpen: number,
  ],
  InsertedRow
>(
  'gift_requests.insert_of_agent',
  `with ${ofGrant}, full_list as (
     select count(*) >= $9::integer as is_full from gift_requests
     where organization_id = $1 and environment = $2 and member_id is null and state in ('open', 'approving')
       and grant_id = (select grant_id from caller)
   ), made as (
     ${insertRequests({
       columns: 'grant_id',
       source: `select $1, $2, $4::uuid, $5, $6::integer, $7::jsonb, $8::timestamptz, rule.approvals, rule.approver_ids,
         'open', grant_id
       from caller cross join full_list left join lateral (${ruleOf('$1', 'null', '$6::integer')}) rule on true
       where caller_state = 'admitted' and $6 > ask_above_cents and not is_full and not exists (
         select from orders o where o.organization_id = $1 and o.environment = $2 and o.idempotency_key = $5
       )`,
     })}
     on conflict (organization_id, environment, order_key) where grant_id is not null do nothing
     returning request_id
   )
   select ${callerColumns}, caller.agent_name, made.request_id, full_list.is_full and $6 > caller.ask_above_cents as is_full
   from caller cross join full_list left join made on true`,
);
