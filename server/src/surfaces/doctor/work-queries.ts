import type { Environment } from '../../platform/base/environment.ts';
import { statementOnEachShard } from '../../platform/database/statement.ts';

const REASON = 'the operator looks at the work of every organization';

interface WaitingApprovalRow {
  organization_id: string;
  name: string;
  approval_id: string;
  environment: Environment;
  kind: 'funding' | 'adjustment';
  amount_cents: number;
  reference: string | null;
  note: string | null;
  requested_by: string;
  created_at: Date;
}

/** Oldest first. */
export const selectWaitingEverywhere = statementOnEachShard<[limit: number], WaitingApprovalRow>(
  'work.list_waiting_approvals',
  REASON,
  `select a.organization_id, o.name, a.approval_id, a.environment, a.kind, a.amount_cents, a.reference, a.note,
     a.requested_by, a.created_at
   from approvals a join organizations o using (organization_id)
   where a.state = 'waiting' order by a.approval_id limit $1`,
);

interface FailingEndpointRow {
  organization_id: string;
  name: string;
  environment: Environment;
  endpoint_id: string;
  url: string;
  failing_since: Date | null;
  failures: number;
  disabled_at: Date | null;
  disabled_reason: 'gone' | 'failing' | null;
}

/** Those that the service switched off, and those whose last push failed; longest first. */
export const selectFailingEverywhere = statementOnEachShard<[limit: number], FailingEndpointRow>(
  'work.list_failing_endpoints',
  REASON,
  `select w.organization_id, o.name, w.environment, w.endpoint_id, w.url, w.failing_since, w.failures, w.disabled_at,
     w.disabled_reason
   from webhook_endpoints w join organizations o using (organization_id)
   where w.failing_since is not null and w.disabled_reason is distinct from 'requested'
   order by w.failing_since limit $1`,
);

interface WaitingClaimRow {
  organization_id: string;
  name: string;
  environment: Environment;
  gift_id: string;
  amount_cents: number;
  claiming_at: Date;
}

/** Gifts that were claimed but whose issuer has not made the card yet, from the queue that asks it again. */
export const selectWaitingClaims = statementOnEachShard<[queue: string, limit: number], WaitingClaimRow>(
  'work.list_waiting_claims',
  REASON,
  `select g.organization_id, o.name, g.environment, g.gift_id, g.amount_cents, g.claiming_at
   from (
     select distinct (data->>'organizationId')::uuid as organization_id,
       (data->>'environment')::environment as environment, (data->>'giftId')::uuid as gift_id
     from pgboss.job where name = $1 and state < 'completed' limit $2) j
   join gifts g using (organization_id, environment, gift_id)
   join organizations o using (organization_id)
   where g.claiming_at is not null order by g.claiming_at limit $2`,
);

interface StockRow {
  organization_id: string;
  name: string;
  category_id: string;
  value_cents: number;
  in_stock: number;
  low_stock: number | null;
}

/** Codes that can be handed out, by organization, category and value. */
export const selectStocks = statementOnEachShard<[today: string, limit: number], StockRow>(
  'work.list_stocks',
  REASON,
  `select s.organization_id, o.name, s.category_id, s.value_cents, count(*)::integer as in_stock,
     (select max(i.low_stock) from issuers i where i.organization_id = s.organization_id and i.removed_at is null
        and i.kind = 'codes' and (i.category_id = s.category_id or i.category_id is null)) as low_stock
   from shop_codes s join organizations o using (organization_id)
   where s.gift_id is null and s.set_aside_at is null and (s.expires is null or s.expires > $1::date)
   group by s.organization_id, o.name, s.category_id, s.value_cents
   order by in_stock limit $2`,
);

/** Idle jobs by queue, with the age of the one that is longest due; without pg-boss’s own queues. */
export const selectQueues = statementOnEachShard<
  [now: Date],
  { queue: string; waiting: number; due: number; oldest_due_at: Date | null; retried: number }
>(
  'work.list_queues',
  REASON,
  `select name as queue, count(*)::integer as waiting, count(*) filter (where start_after <= $1)::integer as due,
     min(start_after) filter (where start_after <= $1) as oldest_due_at,
     count(*) filter (where retry_count > 0)::integer as retried
   from pgboss.job where state < 'active' and name !~ '^__' group by name order by name`,
);

interface FailingMessageRow {
  organization_id: string;
  name: string;
  gift_id: string;
  channel: 'email' | 'phone';
  address: string | null;
  state: 'pending' | 'failed';
  tries: number;
  reason: string | null;
  created_at: Date;
}

/** Live messages that are tried again, and the latest that failed for good of each organization, newest first. */
export const selectFailingMessages = statementOnEachShard<[ofEach: number, limit: number], FailingMessageRow>(
  'work.list_failing_messages',
  REASON,
  `select f.organization_id, o.name, f.gift_id, f.channel, f.address, f.state, f.tries, f.reason, f.created_at
   from (
     (select d.organization_id, d.gift_id, d.channel, d.address, d.state, d.tries, d.reason, d.created_at
      from deliveries d where d.environment = 'live' and d.state = 'pending' and d.tries > 0 limit $2)
     union all
     select d.organization_id, d.gift_id, d.channel, d.address, d.state, d.tries, d.reason, d.created_at
     from organizations n
     cross join lateral (
       select g.organization_id, g.environment, g.gift_id, g.delivery_id from gifts g
       where g.organization_id = n.organization_id and g.environment = 'live' and g.delivery_state = 'failed'
         and g.canceled_at is null order by g.gift_id desc limit $1) g
     join deliveries d on d.organization_id = g.organization_id and d.environment = g.environment
       and d.gift_id = g.gift_id and d.delivery_id = g.delivery_id
   ) f join organizations o using (organization_id)
   order by f.created_at desc, f.gift_id limit $2`,
);
