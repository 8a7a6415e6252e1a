import type { Environment } from '../../platform/base/environment.ts';
import { statementOfNone, statementOnEachShard } from '../../platform/database/statement.ts';

/** The ledgers of a server with the last entry of each that is taken as verified; the zero UUID if none is. */
export type Heads = [
  organizationIds: readonly string[],
  environments: readonly Environment[],
  lastIds: readonly string[],
];

const VERIFIES = 'the operator verifies every ledger';

/** `offset 0` makes PostgreSQL look for the rows of one ledger after another, so that it needs no whole table. */
const of = (table: string, row: string, condition: string) =>
  `select ${row}.* from ${table} ${row} where ${row}.organization_id = h.organization_id
       and ${row}.environment = h.environment and ${condition} offset 0`;

/**
 * CTEs that take the place of the tables of the ledger, with the rows after the heads only. What came before is one entry of
 * the balance that it left. Orders are those that these entries pay, and later ones without an entry.
 */
const recentRows = `with head as (
     select organization_id, environment, last_id
     from unnest($2::uuid[], $3::environment[], $4::uuid[]) as h (organization_id, environment, last_id)
   ), recent_entry as materialized (
     select e.organization_id, e.environment, e.entry_id, e.kind, e.amount_cents, e.balance_after_cents, e.order_id, e.gift_id
     from head h cross join lateral (${of('ledger_entries', 'e', 'e.entry_id > h.last_id')}) e
   ), recent_order as materialized (
     select organization_id, environment, order_id from recent_entry where kind = 'order'
     union
     select o.organization_id, o.environment, o.order_id
     from head h cross join lateral (${of(
       'orders',
       'o',
       `o.order_id > h.last_id and not exists (
         select from ledger_entries e
         where e.organization_id = o.organization_id and e.environment = o.environment and e.order_id = o.order_id offset 0
       )`,
     )}) o
   ), recent_refund as materialized (
     select organization_id, environment, gift_id from recent_entry where kind = 'refund'
   ), gifts as (
     select g.* from recent_order h cross join lateral (${of('gifts', 'g', 'g.order_id = h.order_id')}) g
     union
     select g.* from recent_refund h cross join lateral (${of('gifts', 'g', 'g.gift_id = h.gift_id')}) g
   ), orders as (
     select o.* from recent_order h cross join lateral (${of('orders', 'o', 'o.order_id = h.order_id')}) o
   ), ledger_legs as (
     select l.* from head h cross join lateral (${of('ledger_legs', 'l', 'l.entry_id > h.last_id')}) l
   ), ledger_entries as (
     select * from recent_entry
     union all
     select h.organization_id, h.environment, h.last_id, 'funding', e.balance_after_cents, e.balance_after_cents, null, null
     from head h cross join lateral (${of('ledger_entries', 'e', 'e.entry_id = h.last_id')}) e
   )`;

/** For the transaction. PostgreSQL expects a third of all rows after an id that it does not know, and would read all. */
export const preferIndexes = statementOfNone<[], { set_config: string }>(
  'ledger.prefer_indexes',
  `select set_config('enable_seqscan', 'off', true)`,
);

export interface CulpritRow {
  organization_id: string;
  environment: Environment;
  /** UUID of the order, gift or ledger entry; null for the balance itself. */
  subject_id: string | null;
  expected: string;
  found: string;
  /** Number of faults before the limit. */
  total: number;
}

/** A check of the books: over all rows, and over those since the heads. */
export interface BookCheck {
  all: ReturnType<typeof statementOnEachShard<[limit: number], CulpritRow>>;
  recent?: ReturnType<typeof statementOnEachShard<[limit: number, ...Heads], CulpritRow>>;
}

/** @param text a `select` of culprits from the tables of the ledger, at most `$1` */
export const bookCheck = (name: string, text: string): Required<BookCheck> => ({
  all: statementOnEachShard(name, VERIFIES, text),
  recent: statementOnEachShard(`${name}_recent`, VERIFIES, `${recentRows} ${text}`),
});

/** The same of what needs all rows, such as the sum of an account. */
export const wholeCheck = (name: string, text: string): BookCheck => ({
  all: statementOnEachShard(name, VERIFIES, text),
});

export const countRecentEntries = statementOnEachShard<[limit: null, ...Heads], { entries: number }>(
  'ledger.count_recent',
  VERIFIES,
  `${recentRows} select count(*) as entries from recent_entry where $1::integer is null`,
);
