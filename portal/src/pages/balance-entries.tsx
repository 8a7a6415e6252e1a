import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../api/client.ts';
import { usePlace } from '../layout/use-place.ts';
import { ExportLink } from '../ui/export-link.tsx';
import { SelectField } from '../ui/field.tsx';
import { DateFilter, Filters } from '../ui/filters.tsx';
import { dayRange, formatMoney } from '../ui/formats.ts';
import { ListPager } from '../ui/list-pager.tsx';
import { Panel } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { type Column, DataTable } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useLostCursor } from '../ui/use-lost-cursor.ts';
import { Change, type Entry, EntryText, entryKinds } from './balance-entry.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/balance');
const PATH = '/portal/api/organizations/{organization_id}/{environment}/balance/entries';

type Kind = Entry['kind'];
const isKind = (text: string | undefined): text is Kind => text !== undefined && Object.hasOwn(entryKinds, text);
const kindOptions = [
  { value: '', label: 'Every kind' },
  ...Object.entries(entryKinds).map(([value, label]) => ({ value, label })),
];

/** The ledger: every change of the balance, and what it was after it. */
export function EntriesPanel() {
  const { path, environment, currency, organizationId } = usePlace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { from, to, after, before } = search;
  const kind = isKind(search.kind) ? search.kind : undefined;
  const filters = { ...(kind && { kind }), ...definedOf(dayRange({ ...(from && { from }), ...(to && { to }) })) };
  const query = { ...filters, ...(after ? { after } : before ? { before } : {}) };
  const entries = useQuery({
    queryKey: ['balance', path, 'entries', query],
    queryFn: () => unwrap(api.GET(PATH, { params: { path, query } })),
    placeholderData: keepPreviousData,
  });
  useLostCursor(entries.error, () => void navigate({ search: definedOf({ kind, from, to }), replace: true }));
  // A filter begins anew at the newest page.
  const filter = (changed: { kind?: string | undefined; from?: string | undefined; to?: string | undefined }) =>
    void navigate({ search: definedOf({ kind, from, to, ...changed }), replace: true });
  const count = [kind, from, to].filter((value) => value !== undefined).length;
  const columns: Column<Entry>[] = [
    {
      header: 'Entry',
      cell: (entry) => (
        <>
          <EntryText entry={entry} />
          <span className="block text-sm text-soft md:hidden">
            <Time at={entry.created_at} />
          </span>
        </>
      ),
    },
    { header: 'Time', cell: (entry) => <Time at={entry.created_at} />, isWide: true },
    {
      header: 'Amount',
      align: 'right',
      cell: (entry) => (
        <>
          <Change cents={entry.amount} />
          <span className="block text-sm whitespace-nowrap text-soft md:hidden">
            <span className="sr-only">Balance after: </span>
            {formatMoney(entry.balance_after, currency)}
          </span>
        </>
      ),
    },
    {
      header: 'Balance after',
      align: 'right',
      cell: (entry) => <span className="whitespace-nowrap">{formatMoney(entry.balance_after, currency)}</span>,
      isWide: true,
    },
  ];
  return (
    <Panel
      title="Entries"
      actions={
        <ExportLink
          href={`/portal/api/organizations/${organizationId}/${environment}/balance/entries.csv`}
          query={filters}
        />
      }
    >
      <Filters count={count} onClear={() => void navigate({ search: {}, replace: true })}>
        <SelectField
          label="Kind"
          isLabelHidden
          value={kind ?? ''}
          onChange={(value) => filter({ kind: value })}
          options={kindOptions}
        />
        <DateFilter label="From" value={from ?? ''} onChange={(day) => filter({ from: day })} />
        <DateFilter label="To" value={to ?? ''} onChange={(day) => filter({ to: day })} />
      </Filters>
      <DataTable
        caption="Entries of the ledger, the newest first"
        columns={columns}
        query={entries}
        rowKey={(entry) => entry.entry_id}
        empty={
          count > 0 ? (
            <EmptyState title="No such entry">Change the filters, or clear them to see every entry.</EmptyState>
          ) : (
            <EmptyState title="No entry yet">The first one is there when the balance is filled.</EmptyState>
          )
        }
      />
      <ListPager
        page={entries.data}
        onPage={(cursor) => void navigate({ search: { ...definedOf({ kind, from, to }), ...cursor } })}
      />
    </Panel>
  );
}

function definedOf<Value extends Record<string, string | undefined>>(values: Value) {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(entries) as { [Name in keyof Value]?: NonNullable<Value[Name]> };
}
