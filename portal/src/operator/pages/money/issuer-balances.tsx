import { Badge } from '../../../ui/badge.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { shown } from '../../layout/shown-rows.ts';
import type { Money } from './money-report.ts';

type Issuer = Money['issuers'][number];

/** What issuers hold, and what their cards may still spend: now, also if the books are of another day. */
export function IssuerBalances({ issuers }: { issuers: Money['issuers'] }) {
  const { currency } = useSession().service;
  return (
    <Panel title="Issuers" description="Now, also if you look at another day. The service asks them every hour.">
      <DataTable
        caption="Balances at issuers"
        columns={columnsOf(currency)}
        query={shown(issuers)}
        rowKey={({ organizations, kinds }) => `${organizations.join()} ${kinds.join()}`}
        empty={<NothingHere>No issuer tells its balance. Own codes and simulated cards have none.</NothingHere>}
      />
      <CommandLine command="bestow doctor" />
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Issuer>[] => [
  {
    header: 'Issuer',
    cell: ({ kinds, organizations, checked_at }) => (
      <>
        <span className="font-semibold">{kinds.join(', ')}</span>
        <span className="block text-sm wrap-anywhere text-soft">{organizations.join(', ')}</span>
        <span className="block text-sm text-soft">
          Asked <Time at={checked_at} />
        </span>
      </>
    ),
  },
  {
    header: 'Available',
    align: 'right',
    cell: ({ available, state }) => (
      <>
        {formatMoney(available, currency)}
        {state === 'low' && (
          <span className="mt-1 block">
            <Badge tone="bad">Too little</Badge>
          </span>
        )}
      </>
    ),
  },
  { header: 'Unspent', align: 'right', cell: ({ unspent }) => formatMoney(unspent, currency) },
];
