import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { given, withFilters, withPage } from '../../base/search.ts';
import { ExportLink } from '../../ui/export-link.tsx';
import { dayRange } from '../../ui/formats.ts';
import { ListPager } from '../../ui/list-pager.tsx';
import { ListTotal } from '../../ui/list-total.tsx';
import { inOrder, orderOf, withOrder } from '../../ui/order-field.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, NoMatch } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table.tsx';
import { useLostCursor } from '../../ui/use-lost-cursor.ts';
import { ChooseColumns, giftColumns, giftOrders, sortOf, useColumns } from './gift-columns.tsx';
import { GiftFilters } from './gift-filters.tsx';
import { GiftViews, ManageViews } from './gift-views.tsx';
import { ResendGifts } from './gifts-resend.tsx';
import { SearchedBy } from './searched-by.tsx';

export { SendPage } from '../send/send.tsx';
// In one file of the build, because each more lengthens the list that the first page loads.
export { TemplatesPage } from '../templates/templates.tsx';
export { ResendDialog } from './gifts-resend-dialog.tsx';

type Gift = components['schemas']['GiftSummary'];

const route = getRouteApi('/signed-in/$organizationId/$environment/gifts');

export function GiftsPage() {
  const { path, params, currency, includes } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { after, before, from, to, order, columns, ...others } = search;
  const { within, ...saved } = withPage(search, {});
  const chosen = useColumns(columns);
  const sort = sortOf(order);
  const view = { ...saved, columns: chosen.names.join() };
  const filters = { ...(others as Omit<Filters, 'from' | 'to'>), ...dayRange(search) };
  const gifts = useQuery({
    queryKey: ['gifts', path, search],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/gifts`, {
          params: { path, query: given({ ...filters, order: orderOf(order), sort, after, before }) },
        }),
      ).then((page) => inOrder(page, order)),
    placeholderData: keepPreviousData,
  });
  const total = useTotal(filters);
  useLostCursor(gifts.error, () => void navigate({ search: withPage(search, {}), replace: true }));
  const clear = () => void navigate({ search: {} });
  const isFiltered = [...Object.values(others), from, to].some((value) => value !== undefined);

  return (
    <Page
      title="Gifts"
      description={includes('people') ? 'The search also finds external IDs and metadata.' : undefined}
      actions={<Actions filters={filters} />}
    >
      <Panel>
        <GiftFilters
          search={search}
          onChange={(changes) => void navigate({ search: withFilters(search, { ...changes, within: undefined }) })}
          onClear={clear}
        />
        <GiftViews />
        <ListTotal
          total={total.data}
          counted={['gift', 'gifts']}
          order={order}
          onOrder={(chosen) => void navigate({ search: withPage(withOrder(search, chosen), {}) })}
          orders={giftOrders}
        >
          <ManageViews shown={view} />
          <ChooseColumns
            names={chosen.names}
            onChange={(names) => {
              chosen.keep(names);
              void navigate({ search: { ...search, columns: names.join() }, replace: true });
            }}
          />
        </ListTotal>
        <SearchedBy page={gifts.data} search={search} />
        <DataTable
          caption="Gifts"
          counted={['gift', 'gifts']}
          columns={giftColumns(chosen.names, currency)}
          query={gifts}
          rowKey={(gift) => gift.gift_id}
          rowLink={(gift) => ({
            to: '/$organizationId/$environment/gifts/$giftId',
            params: { ...params, giftId: gift.gift_id },
          })}
          empty={<Empty isFiltered={isFiltered} isPaused={Boolean(gifts.data?.searched_to)} onClear={clear} />}
        />
        <ListPager
          page={gifts.data}
          isOldestFirst={orderOf(order) !== undefined}
          isSorted={sort !== undefined}
          onPage={(cursor) => void navigate({ search: withPage(search, cursor) })}
        />
      </Panel>
    </Page>
  );
}

interface EmptyProps {
  isFiltered: boolean;
  /** Whether the search can go on. */
  isPaused: boolean;
  onClear: () => void;
}

const Empty = ({ isFiltered, isPaused, onClear }: EmptyProps) =>
  !isFiltered ? (
    <NoGiftsYet />
  ) : (
    <NoMatch
      title={isPaused ? 'Nothing found so far' : 'No gifts match these filters'}
      showAll="Show all gifts"
      onClear={onClear}
    >
      Search for a complete ID or address, the start of an address, or part of the recipient’s name, external ID or
      metadata.
    </NoMatch>
  );

type Filters = {
  status?: Gift['status'];
  method?: Gift['method'];
  category?: string;
  query?: string;
  within?: 'texts';
  from: string | undefined;
  to: string | undefined;
};

function useTotal(filters: Filters) {
  const { path } = useScope();
  return useQuery({
    queryKey: ['gifts', path, 'total', filters],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/gifts/total`, { params: { path, query: given(filters) } })),
    placeholderData: keepPreviousData,
  });
}

function Actions({ filters }: { filters: Record<string, string | undefined> }) {
  const { may, organizationId, environment } = useScope();
  const exportPath = `/portal/api/organizations/${organizationId}/${environment}/gifts.csv`;
  return (
    <>
      <ExportLink href={exportPath} query={filters} isGuarded />
      {may('manage') && <ResendGifts filters={filters} />}
    </>
  );
}

function NoGiftsYet() {
  const { params, environment, includes, may } = useScope();
  const title = environment === 'live' ? 'No gifts yet' : 'No test gifts yet';
  const byHand = may('order') ? 'Send one by hand' : may('request') ? 'Ask for one with “Send a gift”' : undefined;
  if (!includes('integrations')) return <EmptyState title={title}>{byHand && `${byHand}.`}</EmptyState>;
  return (
    <EmptyState title={title}>
      <p>
        {byHand === undefined ? 'Your program orders' : `${byHand}, or let your program order`} gifts with an API key.{' '}
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
