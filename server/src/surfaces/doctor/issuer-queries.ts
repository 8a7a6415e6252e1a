import { dueCents } from '../../core/issuer/due.ts';
import { statementOnEachShard } from '../../platform/database/statement.ts';

/** Counts organizations that have no issuer at all: those with live gifts, and those that have live funds and no gift yet. */
export const countWithoutIssuer = statementOnEachShard<[], { with_gifts: number; with_funds: number }>(
  'doctor.count_without_issuer',
  'the doctor looks at every organization',
  `select count(*) filter (where has_gifts) as with_gifts, count(*) filter (where has_funds and not has_gifts) as with_funds
   from (
     -- Its order makes PostgreSQL use the index also if nearly all gifts are of one organization.
     select (
         select g.gift_id from gifts g where g.organization_id = o.organization_id and g.environment = 'live'
         order by g.gift_id limit 1
       ) is not null as has_gifts,
       exists (
         select from balances b
         where b.organization_id = o.organization_id and b.environment = 'live' and b.balance_cents > 0
       ) as has_funds
     from organizations o
     where not exists (select from issuers i where i.organization_id = o.organization_id and i.removed_at is null)
   ) without`,
);

/** Issuers that are chosen or whose cards may still spend, with what their balances have to pay yet. */
export const selectWatchedIssuers = statementOnEachShard<
  [limit: number, paidAtClaim: readonly string[]],
  {
    organization_id: string;
    organization_name: string;
    issuer_id: string;
    kind: string;
    settings: string;
    due_cents: number;
    is_stock_low: boolean;
  }
>(
  'doctor.list_issuers',
  'the doctor looks at every organization',
  `select i.organization_id, o.name as organization_name, i.issuer_id, i.kind, i.settings, ${dueCents('$2')} as due_cents,
     i.low_stock_warned_at is not null as is_stock_low
   from issuers i join organizations o on o.organization_id = i.organization_id
   where i.removed_at is null or i.unspent_cents > 0 order by i.organization_id, i.issuer_id limit $1`,
);
