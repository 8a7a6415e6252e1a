import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { useScope } from '../layout/use-scope.ts';
import { given, withFilters, withPage } from '../search.ts';

import { ExportLink } from '../ui/export-link.tsx';
import { dayRange, formatMoney } from '../ui/formats.ts';
import { GiftStatusBadge, giftMethods } from '../ui/gift-status.tsx';
import { ListPager } from '../ui/list-pager.tsx';
import { Page, Panel } from '../ui/page.tsx';
import { EmptyState, NoMatch } from '../ui/states.tsx';
import { type Column, DataTable } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useLostCursor } from '../ui/use-lost-cursor.ts';
import { GiftFilters } from './gift-filters.tsx';

type Gift = components['schemas']['GiftSummary'];

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts');

export function GiftsPage() {
  const { path, params, organizationId, environment, currency } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { after, before, from, to, ...others } = search;
  const filters = { ...(others as { status?: Gift['status']; method?: Gift['method'] }), ...dayRange(search) };
  const gifts = useQuery({
    queryKey: ['gifts', path, search],
    queryFn: () =>
      unwrap(api.GET(`${SCOPE_PATH}/gifts`, { params: { path, query: given({ ...filters, after, before }) } })),
    placeholderData: keepPreviousData,
  });
  useLostCursor(gifts.error, () => void navigate({ search: withPage(search, {}), replace: true }));
  const clear = () => void navigate({ search: {} });
  const isFiltered = [...Object.values(others), from, to].some((value) => value !== undefined);

  return (
    <Page
      title="Gifts"
      description="All gifts, newest first."
      actions={
        <ExportLink href={`/portal/api/organizations/${organizationId}/${environment}/gifts.csv`} query={filters} />
      }
    >
      <Panel>
        <GiftFilters
          search={search}
          onChange={(changes) => void navigate({ search: withFilters(search, changes) })}
          onClear={clear}
        />
        <DataTable
          caption="Gifts"
          counted={['gift', 'gifts']}
          columns={columnsOf(currency)}
          query={gifts}
          rowKey={(gift) => gift.gift_id}
          rowLink={(gift) => ({
            to: '/$organizationId/$environment/gifts/$giftId',
            params: { ...params, giftId: gift.gift_id },
          })}
          empty={
            !isFiltered ? (
              <NoGiftsYet />
            ) : (
              <NoMatch
                title={gifts.data?.searched_to ? 'Nothing found so far' : 'No gifts match these filters'}
                showAll="Show all gifts"
                onClear={clear}
              >
                Search for a complete ID, the start of an address, or part of the recipient’s name.
              </NoMatch>
            )
          }
        />
        <ListPager page={gifts.data} onPage={(cursor) => void navigate({ search: withPage(search, cursor) })} />
      </Panel>
    </Page>
  );
}

const columnsOf = (currency: string): Column<Gift>[] => [
  {
    header: 'Recipient',
    cell: ({ recipient_name, address }) => (
      <>
        {recipient_name !== null && <span className="line-clamp-2 wrap-anywhere">{recipient_name}</span>}
        {address !== null && (
          <span className={`line-clamp-1 break-all ${recipient_name === null ? '' : 'text-sm font-normal text-soft'}`}>
            {address}
          </span>
        )}
        {recipient_name === null && address === null && 'Link gift (no name)'}
      </>
    ),
  },
  { header: 'Status', cell: ({ status }) => <GiftStatusBadge status={status} /> },
  { header: 'Category', cell: ({ category }) => <span className="wrap-anywhere">{category.name}</span>, isWide: true },
  { header: 'Method', cell: ({ method }) => giftMethods[method], isWide: true },
  { header: 'Ordered', cell: ({ created_at }) => <Time at={created_at} />, isWide: true },
  { header: 'Amount', cell: ({ amount }) => formatMoney(amount, currency), align: 'right' },
];

function NoGiftsYet() {
  const { params, environment } = useScope();
  return (
    <EmptyState title={environment === 'live' ? 'No gifts yet' : 'No test gifts yet'}>
      <p>
        Your program orders gifts with an API key.{' '}
        {environment === 'sandbox' && 'In the sandbox, test addresses decide what happens to a gift.'}
      </p>
      <p className="mt-2">
        <Link to="/$organizationId/$environment/keys" params={params} className="text-accent underline">
          API keys
        </Link>
        {environment === 'sandbox' && (
          <>
            {' · '}
            <Link to="/$organizationId/$environment/testing" params={params} className="text-accent underline">
              Test addresses
            </Link>
          </>
        )}
      </p>
    </EmptyState>
  );
}
