import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { servicePath } from '../../base/address.ts';
import { given, withFilters, withPage } from '../../base/search.ts';

import { ExportLink } from '../../ui/export-link.tsx';
import { DateFilter, Filters, SearchField, useSearchText } from '../../ui/filters.tsx';
import { dayRange, formatCount, formatMoney } from '../../ui/formats.ts';
import { ListPager } from '../../ui/list-pager.tsx';
import { ListTotal } from '../../ui/list-total.tsx';
import { inOrder, orderOf, withOrder } from '../../ui/order-field.tsx';
import { OrderStatusBadge } from '../../ui/order-status.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, NoMatch } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useLostCursor } from '../../ui/use-lost-cursor.ts';
import { PersonName } from '../account/person-name.tsx';

// In one file of the build, because each more lengthens the list that the first page loads.
export { OrderPage } from './order.tsx';

type Order = components['schemas']['OrderSummary'];

const route = getRouteApi('/signed-in/$organizationId/$environment/orders');

export function OrdersPage() {
  const { path, params, organizationId, environment, currency } = useScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { query, from, to, order, after, before } = search;
  const filters = { query, ...dayRange(search) };
  const orders = useQuery({
    queryKey: ['orders', path, search],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/orders`, {
          params: { path, query: given({ ...filters, order: orderOf(order), after, before }) },
        }),
      ).then((page) => inOrder(page, order)),
    placeholderData: keepPreviousData,
  });
  const total = useTotal(filters);
  useLostCursor(orders.error, () => void navigate({ search: withPage(search, {}), replace: true }));
  const clear = () => void navigate({ search: {} });
  const count = [query, from, to].filter((value) => value !== undefined).length;

  return (
    <Page
      title="Orders"
      description="An order contains one or more gifts and is charged to the balance. Search by order ID, idempotency key, external ID or metadata."
      actions={
        <ExportLink href={`/portal/api/organizations/${organizationId}/${environment}/orders.csv`} query={filters} />
      }
    >
      <Panel>
        <OrderFilters count={count} onClear={clear} />
        <ListTotal
          total={total.data}
          counted={['order', 'orders']}
          order={order}
          onOrder={(chosen) => void navigate({ search: withPage(withOrder(search, chosen), {}) })}
        />
        <DataTable
          caption="Orders"
          counted={['order', 'orders']}
          columns={columnsOf(currency)}
          query={orders}
          rowKey={(order) => order.order_id}
          rowLink={(order) => ({
            to: '/$organizationId/$environment/orders/$orderId',
            params: { ...params, orderId: order.order_id },
          })}
          empty={<Empty isFiltered={count > 0} isPaused={Boolean(orders.data?.searched_to)} onClear={clear} />}
        />
        <ListPager
          page={orders.data}
          isOldestFirst={orderOf(order) !== undefined}
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
  isFiltered ? (
    <NoMatch
      title={isPaused ? 'Nothing found so far' : 'No orders match these filters'}
      showAll="Show all orders"
      onClear={onClear}
    >
      Search for a complete order ID or idempotency key, or for a part of the external ID or metadata.
    </NoMatch>
  ) : (
    <NoOrdersYet />
  );

type OrderQuery = { query: string | undefined; from: string | undefined; to: string | undefined };

function useTotal(filters: OrderQuery) {
  const { path } = useScope();
  return useQuery({
    queryKey: ['orders', path, 'total', filters],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/orders/total`, { params: { path, query: given(filters) } })),
    placeholderData: keepPreviousData,
  });
}

interface OrderFiltersProps {
  count: number;
  onClear: () => void;
}

function OrderFilters({ count, onClear }: OrderFiltersProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { query, from, to } = search;
  const [text, setText] = useSearchText(query, search);
  const filter = (changes: { query?: string; from?: string; to?: string }) =>
    void navigate({ search: withFilters(search, { query: text.trim(), ...changes }) });
  return (
    <Filters
      search={
        <SearchField
          label="Find an order"
          text={text}
          onText={setText}
          onSearch={(sought) => filter({ query: sought })}
        />
      }
      count={count}
      onClear={onClear}
    >
      <DateFilter label="From" value={from ?? ''} onChange={(day) => filter({ from: day })} />
      <DateFilter label="To" value={to ?? ''} onChange={(day) => filter({ to: day })} />
    </Filters>
  );
}

function NoOrdersYet() {
  const { includes, may } = useScope();
  if (!includes('integrations'))
    return (
      <EmptyState title="No orders yet">
        {may('order')
          ? 'Each gift that you send is an order.'
          : may('request')
            ? 'A gift that you ask for is an order once it is approved.'
            : 'Each gift that is sent is an order.'}
      </EmptyState>
    );
  return (
    <EmptyState title="No orders yet">
      Your program places orders with an API key. The{' '}
      <a href={`${servicePath}/docs/api/orders`} className="text-accent underline underline-offset-2">
        API reference
      </a>{' '}
      shows how.
    </EmptyState>
  );
}

const columnsOf = (currency: string): Column<Order>[] => [
  {
    header: 'Ordered',
    cell: (order) => (
      <>
        <Time at={order.created_at} />
        <span className="mt-0.5 block max-w-44 truncate font-mono text-[0.8125rem] font-normal text-soft sm:max-w-none">
          {order.order_id}
        </span>
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ status }) =>
      status === 'processing' ? <OrderStatusBadge status={status} /> : <span className="text-soft">Processed</span>,
    isWide: true,
  },
  {
    header: 'Placed by',
    cell: ({ key, member }) =>
      key === null ? (
        <PersonName email={member.email} />
      ) : (
        <>
          <span className="line-clamp-1 wrap-anywhere">{key.name}</span>
          <span className="mt-0.5 block font-mono text-[0.8125rem] whitespace-nowrap text-soft">{key.hint}</span>
        </>
      ),
    isWide: true,
  },
  { header: 'Gifts', cell: (order) => order.gift_count, align: 'right', isWide: true },
  {
    header: 'Amount',
    cell: (order) => (
      <>
        <span className="font-semibold whitespace-nowrap">{formatMoney(order.amount, currency)}</span>
        <span className="mt-0.5 block text-sm text-soft md:hidden">
          {order.status === 'processing' ? 'Processing' : giftCount(order.gift_count)}
        </span>
      </>
    ),
    align: 'right',
  },
];

const giftCount = (count: number) => `${formatCount(count)} ${count === 1 ? 'gift' : 'gifts'}`;
