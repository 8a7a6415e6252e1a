import { Badge } from '../../../ui/badge.tsx';
import { Code } from '../../../ui/code.tsx';
import { formatCount, formatMoney } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSession } from '../../api/use-session.ts';
import { ActButton } from '../../layout/act-dialog.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { shown } from '../../layout/shown-rows.ts';
import { RemoveIssuerDialog, TestIssuerDialog } from './issuer-acts.tsx';
import { AddIssuerDialog } from './issuer-add.tsx';
import type { Organization } from './organization-query.ts';

type Issuer = Organization['issuers'][number];

/** Who makes the cards of the organization's live gifts. */
export function IssuersPanel({ organization }: { organization: Organization }) {
  const { currency } = useSession().service;
  return (
    <Panel
      title="Issuers"
      description="They make the cards of live gifts. Removed ones answer for the cards that they made."
      actions={
        <ActButton label="Add an issuer">
          {(onClose) => <AddIssuerDialog organization={organization} onClose={onClose} />}
        </ActButton>
      }
    >
      <DataTable
        caption="Issuers"
        columns={columnsOf(currency)}
        query={shown(organization.issuers)}
        rowKey={({ issuer_id }) => issuer_id}
        empty={
          <NothingHere>
            No issuer. Live gifts get simulated cards, unless the service refuses them. Add an issuer before the first
            live gift.
          </NothingHere>
        }
      />
      <CommandLine command={`bestow issuer list --org ${organization.organization_id}`} />
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Issuer>[] => [
  {
    header: 'Issuer',
    cell: ({ kind, issuer_id }) => (
      <>
        <span className="font-semibold">{kind}</span>
        <span className="block text-soft max-md:hidden">
          <Code>{issuer_id}</Code>
        </span>
      </>
    ),
  },
  { header: 'Category', cell: ({ category }) => category ?? 'All others' },
  {
    header: 'Status',
    cell: ({ state }) => (state === 'chosen' ? <Badge tone="good">Chosen</Badge> : <Badge tone="plain">Removed</Badge>),
  },
  { header: 'Cards', align: 'right', isWide: true, cell: ({ cards }) => formatCount(cards) },
  {
    header: 'Money or codes',
    isWide: true,
    cell: ({ funding, stock }) => (
      <>
        {funding !== null && (
          <span className={funding.state === 'low' ? 'font-semibold text-bad' : ''}>
            {funding.state === 'low' ? 'Too little: ' : ''}
            {formatMoney(funding.unspent, currency)} unspent, asked <Time at={funding.checked_at} />
          </span>
        )}
        {stock !== null && (
          <span className={stock.is_low ? 'font-semibold text-bad' : ''}>
            {formatCount(stock.codes)} codes{stock.is_low ? ', too few' : ''}
          </span>
        )}
        {funding === null && stock === null && '–'}
      </>
    ),
  },
  {
    header: 'Action',
    align: 'right',
    cell: (issuer) =>
      issuer.state === 'chosen' && (
        <span className="inline-flex flex-col items-end gap-2 sm:flex-row">
          <ActButton label="Test" about={issuer.kind}>
            {(onClose) => <TestIssuerDialog issuer={issuer} currency={currency} onClose={onClose} />}
          </ActButton>
          <ActButton label="Remove" about={issuer.kind} variant="danger">
            {(onClose) => <RemoveIssuerDialog issuer={issuer} onClose={onClose} />}
          </ActButton>
        </span>
      ),
  },
];
