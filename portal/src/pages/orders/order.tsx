import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { describeCategory } from '../../ui/category.ts';
import { Code, CopyableCode } from '../../ui/code.tsx';
import { Elsewhere } from '../../ui/elsewhere.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { GiftStateBadge } from '../../ui/gift-status.tsx';
import { OrderStatusBadge } from '../../ui/order-status.tsx';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { PersonName } from '../account/person-name.tsx';
import { CancelOrder } from '../gifts/cancel.tsx';
import { referenceFacts } from '../gifts/references.tsx';

type Order = components['schemas']['Order'];
type Gift = Order['gifts'][number];

const PROCESSING_REFETCH_MS = 2_000;

const route = getRouteApi('/signed-in/$organizationId/$environment/orders/$orderId');

export function OrderPage() {
  const { params, currency } = useScope();
  const { orderId } = route.useParams();
  const order = useOrder(orderId);
  const { data, error } = order;
  const pending = data?.pending_gift_count ?? 0;
  return (
    <Page
      title={data === undefined ? 'Order' : `Order of ${formatMoney(data.amount, currency)}`}
      tabTitle={`Order ${orderId}`}
      crumb={
        <Link to="/$organizationId/$environment/orders" params={params}>
          Orders
        </Link>
      }
      description={<CopyableCode label="Copy order ID">{orderId}</CopyableCode>}
      actions={data !== undefined && <CancelOrder order={data} />}
    >
      {data === undefined && error !== null ? (
        <Panel>
          <Elsewhere
            error={error}
            onRetry={() => void order.refetch()}
            title="Order not found"
            inOtherMode={(environment) => ({
              to: '/$organizationId/$environment/orders/$orderId',
              params: { ...params, environment, orderId },
            })}
          >
            The ID may belong to the other mode or be incomplete, or the order was deleted with a reset of the sandbox.
          </Elsewhere>
        </Panel>
      ) : (
        <>
          <Panel title="Details">{data === undefined ? <Skeleton lines={7} /> : <OrderFacts order={data} />}</Panel>
          <Panel title="Gifts">
            <DataTable
              caption="Gifts of the order"
              columns={giftColumns(currency)}
              query={{ data: data && { data: data.gifts }, error, refetch: order.refetch }}
              rowKey={(gift) => gift.gift_id}
              rowLink={(gift) => ({
                to: '/$organizationId/$environment/gifts/$giftId',
                params: { ...params, giftId: gift.gift_id },
              })}
              loadingLines={3}
              empty={<EmptyState title="No gifts created yet" />}
            />
            <p role="status" className={pending > 0 ? 'mt-4 text-soft' : 'sr-only'}>
              {pending > 0 && `${pending} more ${pending === 1 ? 'gift' : 'gifts'} will appear here within a minute.`}
            </p>
          </Panel>
        </>
      )}
    </Page>
  );
}

function useOrder(orderId: string) {
  const { path } = useScope();
  return useQuery({
    queryKey: ['orders', path, orderId],
    queryFn: () =>
      unwrap(api.GET(`${SCOPE_PATH}/orders/{order_id}`, { params: { path: { ...path, order_id: orderId } } })),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? PROCESSING_REFETCH_MS : false),
  });
}

function OrderFacts({ order }: { order: Order }) {
  const { params, currency, includes } = useScope();
  const { key, member, entry, idempotency_key } = order;
  return (
    <Facts
      facts={[
        ['Status', <OrderStatusBadge key="status" status={order.status} />],
        ['Ordered', <Time key="ordered" at={order.created_at} />],
        ['Amount', formatMoney(order.amount, currency)],
        ...(includes('money')
          ? [
              [
                'Ledger entry',
                <Link
                  key="entry"
                  to="/$organizationId/$environment/balance"
                  params={params}
                  className="text-accent underline underline-offset-2"
                >
                  <Code>{entry.entry_id}</Code>
                </Link>,
              ] as const,
              ['Balance after', formatMoney(entry.balance_after, currency)] as const,
            ]
          : []),
        ...(key === null
          ? [['Sent by', <PersonName key="by" email={member.email} />] as const]
          : [
              [
                key.hint.startsWith('bestow-agent-') ? 'Agent' : 'API key',
                <>
                  {key.name} <Code>{key.hint}</Code>
                </>,
              ] as const,
              ['Attributed to', <PersonName key="to" email={member.email} />] as const,
            ]),
        [
          'Idempotency key',
          <CopyableCode key="idempotency" label="Copy idempotency key">
            {idempotency_key}
          </CopyableCode>,
        ],
        ...referenceFacts(order),
      ]}
    />
  );
}

const giftColumns = (currency: string): Column<Gift>[] => [
  {
    header: 'Recipient',
    cell: (gift) => (
      <>
        <span className="line-clamp-2 wrap-anywhere">
          {gift.recipient_name ?? gift.address ?? 'Link gift (no name)'}
        </span>
        {gift.recipient_name !== null && (
          <span className="mt-0.5 line-clamp-2 text-sm font-normal wrap-anywhere text-soft">
            {gift.address ?? 'By link'}
          </span>
        )}
      </>
    ),
  },
  {
    header: 'Status',
    cell: (gift) => (
      <>
        <GiftStateBadge gift={gift} />
        {gift.failure_reason !== null && (
          <span className="mt-1 line-clamp-2 max-w-64 text-sm wrap-anywhere text-soft max-md:hidden">
            {gift.failure_reason}
          </span>
        )}
      </>
    ),
  },
  { header: 'Category', cell: describeCategory, isWide: true },
  {
    header: 'Amount',
    cell: (gift) => <span className="font-semibold whitespace-nowrap">{formatMoney(gift.amount, currency)}</span>,
    align: 'right',
  },
];
