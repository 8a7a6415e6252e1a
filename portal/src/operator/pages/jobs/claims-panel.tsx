import { formatMoney } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { OrganizationLink } from '../../layout/organization-link.tsx';
import { shown } from '../../layout/shown-rows.ts';
import { modeName, type Work } from './job-rows.ts';

type Claim = Work['claims'][number];

/** Gifts whose recipient waits, because the issuer has not made the card. */
export function ClaimsPanel({ claims }: { claims: Work['claims'] }) {
  const { currency } = useSession().service;
  return (
    <Panel
      title="Claims that wait"
      description="The recipient sees no card yet, and the issuer is asked again and again. Undo a claim whose issuer never answers."
    >
      <DataTable
        caption="Claims that wait for an issuer"
        columns={columnsOf(currency)}
        query={shown(claims)}
        rowKey={({ gift_id }) => gift_id}
        rowLink={({ gift_id }) => ({ to: '/gifts/$giftId', params: { giftId: gift_id } })}
        empty={<NothingHere>No claim waits.</NothingHere>}
      />
      <CommandLine command="bestow doctor --work" />
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Claim>[] => [
  { header: 'Gift', cell: ({ amount }) => formatMoney(amount, currency) },
  { header: 'Organization', cell: (claim) => <OrganizationLink of={claim} /> },
  { header: 'Mode', isWide: true, cell: ({ environment }) => modeName(environment) },
  { header: 'Claimed', align: 'right', cell: ({ claiming_at }) => <Time at={claiming_at} /> },
];
