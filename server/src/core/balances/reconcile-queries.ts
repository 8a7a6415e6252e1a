import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';

type Owner = [organizationId: string, environment: Environment];

export interface ReferencedRow {
  /** The reference in the file. */
  reference: string;
  entry_id: string;
  amount_cents: number;
}

/** Finds entries by the order's external id or id, by the entry's own reference or id, or by a canceled gift's id. */
export const selectByReferences = statement<
  [...Owner, references: readonly string[], ids: readonly string[], names: readonly string[]],
  ReferencedRow
>(
  'ledger_entries.list_by_references',
  `select o.external_id as reference, e.entry_id, e.amount_cents
   from orders o
   join ledger_entries e on e.organization_id = $1 and e.environment = $2 and e.order_id = o.order_id
   where o.organization_id = $1 and o.environment = $2 and o.external_id = any($3)
   union all
   select e.reference, e.entry_id, e.amount_cents from ledger_entries e
   where e.organization_id = $1 and e.environment = $2 and e.reference = any($3)
   union all
   select n.name, e.entry_id, e.amount_cents
   from unnest($4::uuid[], $5::text[]) as n (id, name)
   join ledger_entries e on e.organization_id = $1 and e.environment = $2 and e.order_id = n.id
   union all
   select n.name, e.entry_id, e.amount_cents
   from unnest($4::uuid[], $5::text[]) as n (id, name)
   join ledger_entries e on e.organization_id = $1 and e.environment = $2 and e.gift_id = n.id
   union all
   select n.name, e.entry_id, e.amount_cents
   from unnest($4::uuid[], $5::text[]) as n (id, name)
   join ledger_entries e on e.organization_id = $1 and e.environment = $2 and e.entry_id = n.id`,
);

interface PeriodRow {
  entry_id: string;
  amount_cents: number;
  order_id: string | null;
  /** What the customer calls it. */
  reference: string | null;
}

/** Entries of a period, earliest first. */
export const listPeriod = statement<
  [...Owner, above: string, below: string, kinds: readonly string[], limit: number],
  PeriodRow
>(
  'ledger_entries.list_period',
  `select e.entry_id, e.amount_cents, e.order_id, coalesce(o.external_id, e.reference) as reference
   from ledger_entries e
   left join orders o on o.organization_id = $1 and o.environment = $2 and o.order_id = e.order_id
   where e.organization_id = $1 and e.environment = $2 and e.entry_id > $3 and e.entry_id < $4
     and e.kind = any($5::text[]::ledger_entry_kind[])
   order by e.entry_id limit $6`,
);

/** Counts the entries of a period without the given ones. */
export const countPeriodWithout = statement<
  [...Owner, above: string, below: string, kinds: readonly string[], entryIds: readonly string[]],
  { count: number }
>(
  'ledger_entries.count_period_without',
  `select count(*) as count from ledger_entries
   where organization_id = $1 and environment = $2 and entry_id > $3 and entry_id < $4
     and kind = any($5::text[]::ledger_entry_kind[]) and entry_id <> all($6::uuid[])`,
);
