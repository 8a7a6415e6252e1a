import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';
import {
  type FilteredRange,
  type FoundRow,
  hasCursor,
  inFilteredRange,
} from '../../platform/paging/read-filtered-page.ts';
import { inBothDirections } from '../../platform/paging/read-page.ts';
import type { EntryKind } from './portal-schema.ts';

/** An entry as `/v1` shows it; ids are UUIDs. */
export interface EntryRow {
  entry_id: string;
  kind: EntryKind;
  amount_cents: number;
  balance_after_cents: number;
  order_id: string | null;
  gift_id: string | null;
  reference: string | null;
  created_at: Date;
}

/** The caller, with an entry if the caller is admitted and there is one. */
type FoundEntry = CallerRow & (EntryRow | { entry_id: null });

const columns =
  'e.entry_id, e.kind, e.amount_cents, e.balance_after_cents, e.order_id, e.gift_id, e.reference, e.created_at';

/** The balance with its last entry; no entry and null if nothing was ever added. */
export const selectBalanceOfCaller = statement<CallerParameters, FoundEntry & { balance_cents: number | null }>(
  'balances.select_of_caller',
  `with ${caller({ needs: 'read' })}
   select ${callerColumns}, b.balance_cents, ${columns}
   from caller
   left join balances b on caller.caller_state = 'admitted' and b.organization_id = $1 and b.environment = $2
   left join lateral (
     select * from ledger_entries
     where organization_id = $1 and environment = $2 and caller.caller_state = 'admitted'
       and caller.own_grant_id is null
     order by entry_id desc limit 1
   ) e on true`,
);

const list = (name: string, condition: string) =>
  inBothDirections(name, (direction, order) =>
    statement<[...CallerParameters, ...FilteredRange, kind: EntryKind | null], FoundEntry & FoundRow>(
      direction,
      `with ${caller({ needs: 'all' })}
   select ${callerColumns}, ${hasCursor('ledger_entries', 'entry_id')}, null::uuid as stopped_at, ${columns}
   from caller left join lateral (
     select * from ledger_entries
     where ${inFilteredRange('entry_id')} and ${condition} and caller.caller_state = 'admitted'
     order by entry_id ${order} limit $7
   ) e on true
   order by e.entry_id ${order}`,
    ),
  );

/** Nearly all entries belong to orders; the others have their own index. A statement can use one index only. */
export const listEntriesOfCaller = {
  all: list('ledger_entries.list_of_caller', '$8::ledger_entry_kind is null'),
  order: list('ledger_entries.list_orders_of_caller', `kind = 'order' and $8 = kind`),
  other: list('ledger_entries.list_others_of_caller', `kind <> 'order' and $8 = kind`),
};

/** Changes by people, in either direction. */
export const selectLargestChange = statement<
  [organizationId: string, environment: Environment],
  { largest_cents: number | null }
>(
  'ledger_entries.select_largest_change',
  `select max(abs(amount_cents)) as largest_cents from ledger_entries
   where organization_id = $1 and environment = $2 and kind in ('funding', 'adjustment')`,
);
