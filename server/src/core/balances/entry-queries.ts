import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';
import { inBothDirections, type OwnedRange } from '../../platform/paging/read-page.ts';
import type { EntryKind, LedgerEntry } from './portal-schema.ts';

type Owner = [organizationId: string, environment: Environment];

/** Ids are UUIDs. */
export type ListedEntryRow = Omit<LedgerEntry, 'amount' | 'balance_after'> & {
  amount_cents: number;
  balance_after_cents: number;
};

const columns = 'entry_id, kind, amount_cents, balance_after_cents, order_id, gift_id, reference, note, created_at';
const inRange = 'organization_id = $1 and environment = $2 and entry_id > $3 and entry_id < $4';

const list = (name: string, condition: string) =>
  inBothDirections(name, (direction, order) =>
    statement<[...OwnedRange, limit: number, kind: EntryKind | null], ListedEntryRow>(
      direction,
      `select ${columns} from ledger_entries
   where ${inRange} and ${condition}
   order by entry_id ${order} limit $5`,
    ),
  );

/** Nearly all entries belong to orders; the others have their own index. A statement can use one index only. */
export const listEntries = {
  all: list('ledger_entries.list', `$6::ledger_entry_kind is null`),
  order: list('ledger_entries.list_orders', `kind = 'order' and $6 = kind`),
  other: list('ledger_entries.list_others', `kind <> 'order' and $6 = kind`),
};

export const selectEntryExists = statement<[...Owner, entryId: string], { entry_id: string }>(
  'ledger_entries.exists',
  'select entry_id from ledger_entries where organization_id = $1 and environment = $2 and entry_id = $3',
);

export const selectEntryOfOrder = statement<[...Owner, orderId: string], ListedEntryRow>(
  'ledger_entries.select_of_order',
  `select ${columns} from ledger_entries where organization_id = $1 and environment = $2 and order_id = $3`,
);

export interface BoundaryRow {
  /** Entries from this boundary to the next. */
  entries: number;
  /** The balance before the next entry; null if it does not exist. */
  before_cents: number | null;
  /** The balance after the previous entry; null if it does not exist. */
  after_cents: number | null;
  balance_cents: number;
}

const from = 'entry_id >= b.id';
const until = 'entry_id < b.next_id';

/**
 * Reads the balances around each id, and counts the entries in between. Reads only the index and two entries per
 * boundary: summing 500,000 amounts took 30 times as long.
 */
export const selectBoundaries = statement<[...Owner, ids: readonly string[]], BoundaryRow>(
  'ledger_entries.select_boundaries',
  `select
     (select count(*) from ledger_entries
      where organization_id = $1 and environment = $2 and ${from} and ${until}) as entries,
     (select balance_after_cents - amount_cents from ledger_entries
      where organization_id = $1 and environment = $2 and ${from} order by entry_id limit 1) as before_cents,
     (select balance_after_cents from ledger_entries
      where organization_id = $1 and environment = $2 and entry_id < b.id order by entry_id desc limit 1) as after_cents,
     coalesce((select balance_cents from balances where organization_id = $1 and environment = $2), 0) as balance_cents
   from (
     select id, n, coalesce(lead(id) over (order by n), id) as next_id
     from unnest($3::uuid[]) with ordinality as u (id, n)
   ) b
   order by b.n`,
);

interface OtherSumRow {
  /** Index of the boundary before these entries, from 0. */
  n: number;
  kind: Exclude<EntryKind, 'order'>;
  entries: number;
  amount_cents: number;
}

/** Sums the entries other than orders between ids. */
export const sumOthers = statement<[...Owner, ids: readonly string[]], OtherSumRow>(
  'ledger_entries.sum_others',
  `select b.n::integer - 1 as n, k.kind, sum.entries, sum.amount_cents
   from (
     select id, n, coalesce(lead(id) over (order by n), id) as next_id
     from unnest($3::uuid[]) with ordinality as u (id, n)
   ) b
   cross join (values ('funding'::ledger_entry_kind), ('adjustment'), ('refund')) k (kind)
   cross join lateral (
     select count(*) as entries, sum(amount_cents)::bigint as amount_cents from ledger_entries e
     where organization_id = $1 and environment = $2 and e.kind = k.kind and e.kind <> 'order' and ${from} and ${until}
   ) sum
   where sum.entries > 0`,
);

/** Sums all entries between two ids. */
export const sumEntries = statement<OwnedRange, { sum_cents: number }>(
  'ledger_entries.sum',
  `select coalesce(sum(amount_cents), 0)::bigint as sum_cents from ledger_entries where ${inRange}`,
);

export const selectBalance = statement<Owner, { balance_cents: number }>(
  'balances.select',
  'select balance_cents from balances where organization_id = $1 and environment = $2',
);

export const selectFirstEntry = statement<Owner, { created_at: Date }>(
  'ledger_entries.select_first',
  `select created_at from ledger_entries where organization_id = $1 and environment = $2 order by entry_id limit 1`,
);
