import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { unwrap } from '../../../api/client.ts';
import { given } from '../../../base/search.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { Panel } from '../../../ui/page.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { operatorApi } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { MorePager } from '../../layout/more-pager.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { OrganizationLink } from '../../layout/organization-link.tsx';

type Topup = paths['/operator/api/topups']['get']['responses'][200]['content']['application/json']['data'][number];

const route = getRouteApi('/signed-in/work');

const states: Record<Topup['state'], { tone: Tone; label: string }> = {
  pending: { tone: 'calm', label: 'Waits for payment' },
  processing: { tone: 'calm', label: 'Processing' },
  action_required: { tone: 'warn', label: 'Needs the payer' },
  succeeded: { tone: 'good', label: 'Credited' },
  failed: { tone: 'bad', label: 'Failed' },
  canceled: { tone: 'plain', label: 'Canceled' },
};

const kinds: Record<Topup['kind'], string> = {
  checkout: 'Card',
  bank_transfer: 'Bank transfer',
  automatic: 'Automatic',
};

/** Top-ups of all organizations. */
export function TopupsPanel() {
  const { topups_after: after } = route.useSearch();
  const navigate = route.useNavigate();
  const { currency } = useSession().service;
  const topups = useQuery({
    queryKey: ['topups', after],
    queryFn: () => unwrap(operatorApi.GET('/operator/api/topups', { params: { query: given({ after }) } })),
    placeholderData: keepPreviousData,
  });
  const last = topups.data?.has_more ? topups.data.data.at(-1)?.topup_id : undefined;
  return (
    <Panel title="Top-ups" description="Newest first.">
      <DataTable
        caption="Top-ups, newest first"
        columns={columnsOf(currency)}
        query={topups}
        rowKey={({ topup_id }) => topup_id}
        loadingLines={4}
        empty={<NothingHere>No top-ups yet.</NothingHere>}
      />
      <MorePager
        isFirst={after === undefined}
        onFirst={() => void navigate({ search: {}, resetScroll: false })}
        onOlder={
          last === undefined ? undefined : () => void navigate({ search: { topups_after: last }, resetScroll: false })
        }
      />
      <CommandLine command="bestow topup list" />
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Topup>[] => [
  {
    header: 'Organization',
    cell: (topup) => (
      <>
        <OrganizationLink of={topup} />
        <span className="block text-sm wrap-anywhere text-soft">
          {kinds[topup.kind]}, {topup.created_by}
        </span>
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ state, failure }) => (
      <>
        <Badge tone={states[state].tone}>{states[state].label}</Badge>
        {failure !== null && <span className="mt-1 block text-sm wrap-anywhere text-soft">{failure}</span>}
      </>
    ),
  },
  { header: 'Begun', isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { header: 'Amount', align: 'right', cell: ({ amount }) => formatMoney(amount, currency) },
];
