import { Badge } from '../../../ui/badge.tsx';
import { formatCount, formatMoney } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { OrganizationLink } from '../../layout/organization-link.tsx';
import { shown } from '../../layout/shown-rows.ts';
import type { Work } from './job-rows.ts';

type Stock = Work['stocks'][number];

/** Own codes that can be handed out. */
export function StocksPanel({ stocks }: { stocks: Work['stocks'] }) {
  const { currency } = useSession().service;
  return (
    <Panel title="Codes in stock" description="The smallest stock is first.">
      <DataTable
        caption="Codes in stock"
        columns={columnsOf(currency)}
        query={shown(stocks)}
        rowKey={({ organization_id, category, value }) => `${organization_id} ${category} ${value}`}
        empty={<NothingHere>No organization has own codes in stock.</NothingHere>}
      />
      <CommandLine command="bestow issuer stock --org …" />
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Stock>[] => [
  { header: 'Organization', cell: (stock) => <OrganizationLink of={stock} /> },
  { header: 'Category', cell: ({ category }) => category },
  { header: 'Value', align: 'right', cell: ({ value }) => formatMoney(value, currency) },
  {
    header: 'Codes',
    align: 'right',
    cell: ({ codes, is_low }) => (
      <>
        {formatCount(codes)} {is_low && <Badge tone="bad">Low</Badge>}
      </>
    ),
  },
];
