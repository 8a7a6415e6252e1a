import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { given, withFilters, withPage } from '../../base/search.ts';
import { ExportLink } from '../../ui/export-link.tsx';
import { SelectField } from '../../ui/field.tsx';
import { DateFilter, Filters } from '../../ui/filters.tsx';
import { dayRange, formatMoney } from '../../ui/formats.ts';
import { ListPager } from '../../ui/list-pager.tsx';
import { Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useLostCursor } from '../../ui/use-lost-cursor.ts';
import { Change, type Entry, EntryText, entryKinds } from './balance-entry.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/balance');

type Kind = Entry['kind'];
const isKind = (text: string | undefined): text is Kind => text !== undefined && Object.hasOwn(entryKinds, text);
const kindOptions = [
  { value: '', label: 'Any kind' },
  ...Object.entries(entryKinds).map(([value, label]) => ({ value, label })),
];

/** The ledger: every change of the balance, and the balance after it. */
export function EntriesPanel() {
  const { path, environment, currency, organizationId } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { from, to, after, before } = search;
  const kind = isKind(search.kind) ? search.kind : undefined;
  const filters = { kind, ...dayRange(search) };
  const query = given({ ...filters, after, before });
  const entries = useQuery({
    queryKey: ['balance', path, 'entries', query],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/balance/entries`, { params: { path, query } })),
    placeholderData: keepPreviousData,
  });
  useLostCursor(entries.error, () => void navigate({ search: withPage(search, {}), replace: true }));
  const filter = (changes: Partial<typeof search>) =>
    void navigate({ search: withFilters(search, changes), replace: true });
  const count = [kind, from, to].filter((value) => value !== undefined).length;
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
        caption="Ledger entries, newest first"
        columns={columnsOf(currency)}
        query={entries}
        rowKey={(entry) => entry.entry_id}
        empty={
          count > 0 ? (
            <EmptyState title="No entries match these filters">Change or clear the filters.</EmptyState>
          ) : (
            <EmptyState title="No entries yet">The first entry appears when funds are added.</EmptyState>
          )
        }
      />
      <ListPager page={entries.data} onPage={(cursor) => void navigate({ search: withPage(search, cursor) })} />
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Entry>[] => [
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
