import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { unwrap } from '../../../api/client.ts';
import { given } from '../../../base/search.ts';
import { SelectField } from '../../../ui/field.tsx';
import { SearchField, useSearchText } from '../../../ui/filters.tsx';
import { formatMoney } from '../../../ui/formats.ts';
import { GiftStateBadge, giftMethods, giftStatuses } from '../../../ui/gift-status.tsx';
import { ListPager } from '../../../ui/list-pager.tsx';
import { Panel } from '../../../ui/page.tsx';
import { NoMatch } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useLostCursor } from '../../../ui/use-lost-cursor.ts';
import { operatorApi } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useSession } from '../../api/use-session.ts';
import { CommandLine } from '../../layout/command-line.tsx';
import { NothingHere } from '../../layout/nothing-here.tsx';
import { useOrganizationSearch } from './organization-search.ts';

type Gift = components['schemas']['GiftSummary'];
type Status = Gift['status'];

const ROWS = 10;

const isStatus = (text: string | undefined): text is Status => giftStatuses.some(({ value }) => value === text);

/** The gifts of one mode. Their addresses are masked; the page of one gift shows its person. */
export function GiftsPanel() {
  const { search, environment, path, change } = useOrganizationSearch();
  const { currency } = useSession().service;
  const { gifts_after: after, gifts_before: before, gifts_query: query } = search;
  const status = isStatus(search.gifts_status) ? search.gifts_status : undefined;
  const [text, setText] = useSearchText(query, search);
  const asked = given({ status, query, after, before, limit: ROWS });
  const gifts = useQuery({
    queryKey: ['organization-gifts', path, asked],
    queryFn: () =>
      unwrap(
        operatorApi.GET('/operator/api/organizations/{organization_id}/{environment}/gifts', {
          params: { path, query: asked },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const first = { gifts_after: undefined, gifts_before: undefined };
  useLostCursor(gifts.error, () => change(first));
  const showAll = () => change({ ...first, gifts_status: undefined, gifts_query: undefined });
  return (
    <Panel
      title="Gifts"
      description="Addresses are masked. The page of a gift shows its person, and the log has the look."
    >
      <div className="mb-4 flex flex-wrap gap-2">
        <div className="min-w-60 flex-1">
          <SearchField
            label="The ID of a gift or an order"
            text={text}
            onText={setText}
            onSearch={(sought) => change({ ...first, gifts_query: sought })}
          />
        </div>
        <SelectField
          label="Status"
          isLabelHidden
          value={status ?? ''}
          onChange={(value) => change({ ...first, gifts_status: value })}
          options={[{ value: '', label: 'Any status' }, ...giftStatuses]}
        />
      </div>
      <DataTable
        caption="Gifts, newest first"
        counted={['gift', 'gifts']}
        columns={columnsOf(currency)}
        query={gifts}
        rowKey={({ gift_id }) => gift_id}
        rowLink={({ gift_id }) => ({ to: '/gifts/$giftId', params: { giftId: gift_id } })}
        loadingLines={ROWS}
        empty={
          status === undefined && query === undefined ? (
            <NothingHere>No {environment} gifts yet.</NothingHere>
          ) : (
            <NoMatch title="No gift matches" showAll="Show all gifts" onClear={showAll}>
              Give a whole ID. The page Search finds gifts by an address or a reference.
            </NoMatch>
          )
        }
      />
      <ListPager
        label="Pages of gifts"
        page={gifts.data}
        onPage={(cursor) =>
          change({
            ...first,
            ...('after' in cursor ? { gifts_after: cursor.after } : { gifts_before: cursor.before }),
          })
        }
      />
      <CommandLine command={`bestow gift list --org ${path.organization_id} --environment ${environment}`} />
    </Panel>
  );
}

const columnsOf = (currency: string): Column<Gift>[] => [
  {
    header: 'Recipient',
    cell: ({ address, method }) => <span className="break-all">{address ?? giftMethods[method]}</span>,
  },
  {
    header: 'Status',
    cell: (gift) => (
      <>
        <GiftStateBadge gift={gift} />
        {gift.failure_reason !== null && <span className="mt-1 block text-sm text-soft">{gift.failure_reason}</span>}
      </>
    ),
  },
  { header: 'Sender', isWide: true, cell: ({ sender_name }) => <bdi className="wrap-anywhere">{sender_name}</bdi> },
  { header: 'Ordered', isWide: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { header: 'Value', align: 'right', cell: ({ amount }) => formatMoney(amount, currency) },
];
