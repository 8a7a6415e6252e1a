import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Operator } from '../../layout/operator.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { issuersQuery } from '../gift-form/without-issuer.tsx';
import { AddCodesDialog } from './settings-codes.tsx';

type Issuer = components['schemas']['IssuerList']['data'][number];

/** Who makes the cards of live gifts. */
export function IssuerSettings() {
  const { organizationId, may } = useScope();
  const [filled, setFilled] = useState<Issuer>();
  const issuers = useQuery(issuersQuery(organizationId));
  return (
    <Panel
      title="Card issuers"
      description={
        <>
          Who makes the cards and codes of live gifts. <Operator startsSentence /> chooses them.
        </>
      }
    >
      <DataTable
        caption="Card issuers"
        columns={may('settings') ? [...columns, actionColumn(setFilled)] : columns}
        query={issuers}
        rowKey={({ issuer_id }) => issuer_id}
        loadingLines={2}
        empty={<EmptyState title="No issuer yet">The cards of live gifts are simulated and buy nothing.</EmptyState>}
      />
      {filled !== undefined && <AddCodesDialog issuer={filled} onClose={() => setFilled(undefined)} />}
    </Panel>
  );
}

const columns: Column<Issuer>[] = [
  {
    header: 'Gifts',
    cell: ({ category, name }) => (
      <>
        {category ?? 'All other categories'}
        <span className="mt-0.5 block text-sm font-normal text-soft">{name}</span>
      </>
    ),
  },
  {
    header: 'State',
    cell: (issuer) => (
      <span className="flex flex-col items-start gap-1">
        <State {...issuer} />
      </span>
    ),
  },
  { header: 'Cards', align: 'right', cell: ({ cards }) => formatCount(cards) },
  {
    header: 'Last reconciled',
    isWide: true,
    cell: ({ reconciled_at }) => (reconciled_at === null ? '–' : <Time at={reconciled_at} />),
  },
];

const actionColumn = (onAdd: (issuer: Issuer) => void): Column<Issuer> => ({
  header: 'Action',
  align: 'right',
  cell: (issuer) =>
    issuer.stock !== null &&
    issuer.state === 'chosen' && (
      <Button
        size="small"
        onClick={() => onAdd(issuer)}
        aria-label={`Add codes for ${issuer.category ?? 'all other categories'}`}
      >
        Add codes
      </Button>
    ),
});

function State({ state, funding, stock }: Issuer) {
  return (
    <>
      <Badge tone={state === 'chosen' ? 'good' : 'plain'}>{state === 'chosen' ? 'In use' : 'Removed'}</Badge>
      {funding?.state === 'low' && <Badge tone="bad">Balance too low</Badge>}
      {funding?.state === 'sufficient' && <span className="text-sm text-soft">Balance suffices</span>}
      {stock !== null && (
        <span className="text-sm text-soft">
          {formatCount(stock.codes)} {stock.codes === 1 ? 'code' : 'codes'} left
        </span>
      )}
      {stock?.is_low === true && <Badge tone="warn">Few codes</Badge>}
    </>
  );
}
