import { formatMoney } from '../../../ui/formats.ts';
import { GiftStateBadge, giftMethods } from '../../../ui/gift-status.tsx';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSession } from '../../api/use-session.ts';
import { OrganizationLink } from '../../layout/organization-link.tsx';
import { shown } from '../../layout/shown-rows.ts';
import type { Found } from './found-records.tsx';

type Gift = Found['gifts'][number];

export function FoundGifts({ gifts }: Pick<Found, 'gifts'>) {
  const { currency } = useSession().service;
  return (
    <Panel title="Gifts">
      <DataTable
        caption="Gifts that were found"
        counted={['gift', 'gifts']}
        columns={columnsOf(currency)}
        query={shown(gifts)}
        rowKey={({ gift_id }) => gift_id}
        rowLink={({ gift_id }) => ({ to: '/gifts/$giftId', params: { giftId: gift_id } })}
        empty={null}
      />
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Gift>[] => [
  {
    header: 'Gift',
    cell: ({ address, method, found_by }) => (
      <>
        <span className="break-all">{address ?? giftMethods[method]}</span>
        <span className="block text-sm font-normal text-soft">Found by {found_by.replaceAll('_', ' ')}</span>
      </>
    ),
  },
  { header: 'Status', cell: (gift) => <GiftStateBadge gift={gift} /> },
  {
    header: 'Organization',
    isWide: true,
    cell: (gift) => (
      <>
        <OrganizationLink of={gift} />
        <span className="block text-sm text-soft">{gift.environment === 'live' ? 'Live' : 'Sandbox'}</span>
      </>
    ),
  },
  { header: 'Ordered', isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { header: 'Value', align: 'right', cell: ({ amount }) => formatMoney(amount, currency) },
];
