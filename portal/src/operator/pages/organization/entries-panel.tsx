import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { unwrap } from '../../../api/client.ts';
import { given } from '../../../base/search.ts';
import { SelectField } from '../../../ui/field.tsx';
import { formatChange, formatMoney } from '../../../ui/formats.ts';
import { ListPager } from '../../../ui/list-pager.tsx';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useLostCursor } from '../../../ui/use-lost-cursor.ts';
import { operatorApi } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { useOrganizationSearch } from './organization-search.ts';

type Entry = components['schemas']['LedgerEntry'];

const ROWS = 10;

const kinds = { funding: 'Funds added', adjustment: 'Correction', order: 'Order', refund: 'Refund' } as const;
const isKind = (text: string | undefined): text is Entry['kind'] => text !== undefined && Object.hasOwn(kinds, text);

/** Every change of the balance of one mode, and the balance after it. */
export function EntriesPanel() {
  const { search, environment, path, change } = useOrganizationSearch();
  const { currency } = useSession().service;
  const { entries_after: after, entries_before: before } = search;
  const kind = isKind(search.entries_kind) ? search.entries_kind : undefined;
  const asked = given({ kind, after, before, limit: ROWS });
  const entries = useQuery({
    queryKey: ['organization-entries', path, asked],
    queryFn: () =>
      unwrap(
        operatorApi.GET('/operator/api/organizations/{organization_id}/{environment}/entries', {
          params: { path, query: asked },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const first = { entries_after: undefined, entries_before: undefined };
  useLostCursor(entries.error, () => change(first));
  return (
    <Panel
      title="Balance entries"
      actions={
        <SelectField
          label="Kind"
          isLabelHidden
          value={kind ?? ''}
          onChange={(value) => change({ ...first, entries_kind: value })}
          options={[
            { value: '', label: 'Any kind' },
            ...Object.entries(kinds).map(([value, label]) => ({ value, label })),
          ]}
        />
      }
    >
      <DataTable
        caption="Entries of the ledger, newest first"
        counted={['entry', 'entries']}
        columns={columnsOf(currency)}
        query={entries}
        rowKey={({ entry_id }) => entry_id}
        loadingLines={ROWS}
        empty={
          <NothingHere>
            {kind === undefined
              ? 'No entries yet. The first one appears when funds are added.'
              : 'No entries of this kind.'}
          </NothingHere>
        }
      />
      <ListPager
        label="Pages of entries"
        page={entries.data}
        onPage={(cursor) =>
          change({
            ...first,
            ...('after' in cursor ? { entries_after: cursor.after } : { entries_before: cursor.before }),
          })
        }
      />
      <CommandLine command={`bestow export entries --org ${path.organization_id} --environment ${environment}`} />
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Entry>[] => [
  {
    header: 'Entry',
    cell: (entry) => (
      <>
        <span className="font-semibold">{kinds[entry.kind]}</span>
        <span className="block text-sm wrap-anywhere text-soft">
          <About entry={entry} />
        </span>
        <span className="block text-sm text-soft md:hidden">
          <Time at={entry.created_at} />
        </span>
      </>
    ),
  },
  { header: 'Time', isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    header: 'Amount',
    align: 'right',
    cell: ({ amount, balance_after }) => (
      <>
        <span className={`whitespace-nowrap ${amount > 0 ? 'text-good' : ''}`}>{formatChange(amount, currency)}</span>
        <span className="block text-sm whitespace-nowrap text-soft md:hidden">
          <span className="sr-only">Balance after: </span>
          {formatMoney(balance_after, currency)}
        </span>
      </>
    ),
  },
  {
    header: 'Balance after',
    align: 'right',
    isWide: true,
    cell: ({ balance_after }) => <span className="whitespace-nowrap">{formatMoney(balance_after, currency)}</span>,
  },
];

function About({ entry: { gift_id, order_id, reference, note } }: { entry: Entry }) {
  if (gift_id !== null)
    return (
      <Link
        to="/gifts/$giftId"
        params={{ giftId: gift_id }}
        className="font-mono text-[0.8125rem] text-accent underline"
      >
        {gift_id}
      </Link>
    );
  if (order_id !== null) return <span className="font-mono text-[0.8125rem]">{order_id}</span>;
  return [reference, note].filter((text) => text !== null).join(' · ');
}
