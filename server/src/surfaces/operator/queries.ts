import { foldText } from '../../platform/database/folding.ts';
import { statementOnEachShard } from '../../platform/database/statement.ts';

const REASON = 'the operator’s page shows every organization';

export interface OrganizationLineRow {
  organization_id: string;
  name: string;
  created_at: Date;
  suspended_at: Date | null;
  gifts_held_at: Date | null;
  live_cents: number;
  sandbox_cents: number;
  owed_cents: number;
  last_live_order_id: string | null;
  failed_gifts: number;
  issuers: string[];
  waiting_approvals: number;
}

/** Newest first. Failed gifts are counted up to 100. */
export const selectOrganizationLines = statementOnEachShard<
  [query: string | null, organizationId: string | null, below: string, limit: number],
  OrganizationLineRow
>(
  'operator.list_organizations',
  REASON,
  `select o.organization_id, o.name, o.created_at, o.suspended_at, o.gifts_held_at,
     coalesce(live.balance_cents, 0)::bigint as live_cents, coalesce(sandbox.balance_cents, 0)::bigint as sandbox_cents,
     coalesce(live.owed_cents, 0)::bigint as owed_cents,
     (select r.order_id from orders r where r.organization_id = o.organization_id and r.environment = 'live'
      order by r.order_id desc limit 1) as last_live_order_id,
     (select count(*)::integer from (
        select from gifts g where g.organization_id = o.organization_id and g.environment = 'live'
          and g.delivery_state = 'failed' and g.canceled_at is null limit 100) f) as failed_gifts,
     array(select i.kind from issuers i where i.organization_id = o.organization_id and i.removed_at is null
       order by i.kind) as issuers,
     (select count(*)::integer from approvals a
      where a.organization_id = o.organization_id and a.state = 'waiting') as waiting_approvals
   from (
     select * from organizations n
     where n.organization_id < $3 and ($2::uuid is null or n.organization_id = $2)
       and ($1::text is null or strpos(${foldText('n.name')}, ${foldText('$1')}) > 0)
     order by n.organization_id desc limit $4) o
   left join balances live on live.organization_id = o.organization_id and live.environment = 'live'
   left join balances sandbox on sandbox.organization_id = o.organization_id and sandbox.environment = 'sandbox'
   order by o.organization_id desc`,
);
