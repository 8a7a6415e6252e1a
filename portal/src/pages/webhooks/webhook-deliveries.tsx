import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { given } from '../../base/search.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ListPager } from '../../ui/list-pager.tsx';
import { Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useLostCursor } from '../../ui/use-lost-cursor.ts';
import { formatDuration } from '../api-log/request-parts.tsx';
import { EventName, type Webhook } from './webhook-parts.tsx';
import { ResendDialog } from './webhook-resend.tsx';

const route = getRouteApi('/signed-in/$organizationId/$environment/webhooks/$endpointId');

type Delivery = components['schemas']['Delivery'];

const REFRESH_MS = 5_000;

/** The deliveries of an endpoint with every answer; they are read again every five seconds. */
export function WebhookDeliveries({ endpoint }: { endpoint: Webhook }) {
  const { endpoint_id } = endpoint;
  const { path, may } = useScope();
  const params = { path: { ...path, endpoint_id } };
  const [isResending, setIsResending] = useState(false);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const toPage = (cursor: typeof search, replace = false) => void navigate({ search: cursor, replace });
  const deliveries = useQuery({
    queryKey: ['webhooks', path, endpoint_id, 'deliveries', search],
    queryFn: () =>
      unwrap(
        api.GET(`${SCOPE_PATH}/webhooks/{endpoint_id}/deliveries`, { params: { ...params, query: given(search) } }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  useLostCursor(deliveries.error, () => toPage({}, true));
  const resend = useAct({
    send: (eventId: string) =>
      unwrap(
        api.POST(`${SCOPE_PATH}/webhooks/{endpoint_id}/deliveries/{event_id}/resend`, {
          params: { path: { ...params.path, event_id: eventId } },
        }),
      ),
    done: 'It is sent again.',
    saysRefusal: true,
  });
  const hasDeliveries = (deliveries.data?.data.length ?? 0) > 0;
  return (
    <Panel
      title="Deliveries"
      description="The events that were pushed to this endpoint, newest first. Answers are kept for 30 days."
      actions={
        may('integrate') && hasDeliveries && <Button onClick={() => setIsResending(true)}>Resend several</Button>
      }
    >
      <DataTable
        caption="Deliveries"
        columns={may('integrate') ? [...columns, actionColumn(resend.mutate, resend.isPending)] : columns}
        query={deliveries}
        rowKey={({ event_id }) => event_id}
        loadingLines={6}
        empty={<EmptyState title="No deliveries yet">They appear with the next event.</EmptyState>}
      />
      <ListPager page={deliveries.data} onPage={toPage} />
      {isResending && <ResendDialog endpoint={endpoint} onClose={() => setIsResending(false)} />}
    </Panel>
  );
}

// On phones below the event, otherwise in a column.

function Status({ status, next_attempt_at }: Pick<Delivery, 'status' | 'next_attempt_at'>) {
  return (
    <div>
      <Badge tone={status === 'delivered' ? 'good' : status === 'failed' ? 'bad' : 'warn'}>
        {status === 'delivered' ? 'Delivered' : status === 'failed' ? 'Failed' : 'Pending'}
      </Badge>
      {next_attempt_at !== null && (
        <span className="mt-0.5 block text-sm text-soft">
          Next <Time at={next_attempt_at} />
        </span>
      )}
    </div>
  );
}

const Attempts = ({ attempts }: Pick<Delivery, 'attempts'>) => (
  <details>
    <summary className="cursor-pointer">
      {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'}
    </summary>
    <ul className="mt-1 grid gap-2 text-sm">
      {attempts.map(({ attempted_at, status, failure_reason, duration_ms, body }) => (
        <li key={attempted_at}>
          <Time at={attempted_at} hasSeconds /> · {status ?? 'no answer'} · {formatDuration(duration_ms)}
          {failure_reason !== null && <span className="block text-bad wrap-anywhere">{failure_reason}</span>}
          {body !== null && body !== '' && (
            <span className="block max-h-40 overflow-y-auto font-mono text-[0.8125rem] text-soft wrap-anywhere">
              {body}
            </span>
          )}
        </li>
      ))}
    </ul>
  </details>
);

const columns: Column<Delivery>[] = [
  {
    header: 'Event',
    cell: (delivery) => (
      <>
        <span className="font-semibold">
          <EventName type={delivery.type} />
        </span>
        <span className="mt-0.5 block text-sm text-soft">Number {delivery.sequence}</span>
        <span className="hidden font-mono text-[0.8125rem] text-soft lg:block">{delivery.event_id}</span>
        <div className="mt-1 grid gap-1 text-sm md:hidden">
          <Status {...delivery} />
          <Attempts {...delivery} />
        </div>
      </>
    ),
  },
  {
    header: 'Status',
    isWide: true,
    cell: Status,
  },
  {
    header: 'Attempts',
    isWide: true,
    cell: Attempts,
  },
];

const actionColumn = (onResend: (eventId: string) => void, isBusy: boolean): Column<Delivery> => ({
  header: 'Action',
  align: 'right',
  cell: ({ event_id, type, sequence }) => (
    <Button size="small" onClick={() => onResend(event_id)} isBusy={isBusy} aria-label={`Resend ${type} ${sequence}`}>
      Resend
    </Button>
  ),
});
