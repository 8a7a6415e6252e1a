import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { formatMoney } from '../../ui/formats.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, ErrorState, RefreshFailed, Skeleton } from '../../ui/states.tsx';
import { outlookText } from '../balance/balance-outlook.ts';
import { AttentionPanel } from './overview-attention.tsx';
import { DeliveriesPanel } from './overview-deliveries.tsx';
import { FirstSteps, SimulatedIssuers } from './overview-lazy.ts';
import { OrdersPanel } from './overview-orders.tsx';

type Overview = components['schemas']['Overview'];

const route = getRouteApi('/signed-in/$organizationId/$environment/');
const ranges = ['7', '30', '90'] as const;

/** Balance, problems and the figures of the last days. */
export function OverviewPage() {
  const { path, membership } = useScope();
  const asked = route.useSearch().days;
  const days = ranges.find((range) => range === asked) ?? '30';
  const overview = useQuery({
    queryKey: ['overview', path, days],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/overview`, { params: { path, query: { days } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Overview" tabTitle={`Overview, ${membership.organization_name}`}>
      {overview.data !== undefined ? (
        <>
          {overview.error !== null && <RefreshFailed error={overview.error} />}
          <Filled overview={overview.data} days={days} />
        </>
      ) : overview.error !== null ? (
        <Panel>
          <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
        </Panel>
      ) : (
        <Loading />
      )}
    </Page>
  );
}

function Filled({ overview, days }: { overview: Overview; days: string }) {
  const { includes } = useScope();
  const { has_order: hasOrder } = overview.first_steps;
  const hasRecent = overview.days.some(({ orders }) => orders > 0) || overview.before.orders > 0;
  return (
    <>
      <Issuers issuers={overview.issuers} />
      {!hasOrder && includes('integrations') && (
        <Suspense>
          <FirstSteps overview={overview} />
        </Suspense>
      )}
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <BalancePanel outlook={overview.outlook} />
        <AttentionPanel overview={overview} />
      </div>
      {hasOrder && <Range />}
      {hasRecent ? (
        <>
          <OrdersPanel days={overview.days} before={overview.before} />
          <DeliveriesPanel deliveries={overview.deliveries} />
        </>
      ) : (
        <Panel title="Orders and deliveries">
          <EmptyState title={hasOrder ? `No orders in the last ${days} days` : 'No orders yet'}>
            Charts appear here after the next order.
          </EmptyState>
        </Panel>
      )}
    </>
  );
}

/** The days of the figures below; the address has them. */
const Range = () => (
  <nav aria-label="Days" className="print:hidden flex gap-5">
    {ranges.map((range) => (
      <Link
        key={range}
        to="."
        search={range === '30' ? {} : { days: range }}
        replace
        activeOptions={{ exact: true }}
        className="text-soft underline-offset-4 hover:underline aria-[current=page]:font-semibold aria-[current=page]:text-accent"
      >
        {range} days
      </Link>
    ))}
  </nav>
);

/** Who makes the cards of live gifts; a warning if a category has none. */
function Issuers({ issuers }: { issuers: Overview['issuers'] }) {
  const { params } = useScope();
  if (params.environment !== 'live' || issuers.some(({ category }) => category === null)) return null;
  return (
    <Suspense>
      <SimulatedIssuers own={issuers.map(({ category }) => category).join(', ')} />
    </Suspense>
  );
}

function BalancePanel({ outlook }: { outlook: Overview['outlook'] }) {
  const { currency, params } = useScope();
  return (
    <Panel title="Balance">
      <p className="font-serif text-4xl leading-11 font-semibold tabular-nums wrap-anywhere">
        {formatMoney(outlook.balance, currency)}
      </p>
      <p className="mt-1 text-soft">{outlookText(outlook)}</p>
      <p className="mt-4">
        <Link
          to="/$organizationId/$environment/balance"
          params={params}
          className="font-semibold text-accent underline-offset-4 hover:underline"
        >
          Entries and statements
        </Link>
      </p>
    </Panel>
  );
}

function Loading() {
  return (
    <>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <Panel title="Balance">
          <Skeleton lines={4} />
        </Panel>
        <Panel title="Needs attention">
          <Skeleton lines={4} />
        </Panel>
      </div>
      <Panel title="Orders">
        <Skeleton lines={9} />
      </Panel>
    </>
  );
}
