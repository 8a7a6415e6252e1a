import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { useScope } from '../layout/use-scope.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Panel } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { type Column, DataTable } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toast.tsx';
import { formatDuration } from './request-parts.tsx';
import { EventName, type Webhook } from './webhook-parts.tsx';

type Delivery = components['schemas']['Delivery'];

const REFRESH_MS = 5_000;

/** The latest deliveries of an endpoint with every answer; they are read again every five seconds. */
export function WebhookDeliveries({ endpoint: { endpoint_id } }: { endpoint: Webhook }) {
  const { path, mayChange } = useScope();
  const params = { path: { ...path, endpoint_id } };
  const queryClient = useQueryClient();
  const showToast = useToast();
  const deliveries = useQuery({
    queryKey: ['webhooks', path, endpoint_id, 'deliveries'],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/webhooks/{endpoint_id}/deliveries`, { params })),
    refetchInterval: REFRESH_MS,
  });
  const onSuccess = async () => {
    await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    showToast('It is sent again.');
  };
  const onError = (error: Error) => showToast(error.message);
  const resend = useMutation({
    mutationFn: (eventId: string) =>
      unwrap(
        api.POST(`${SCOPE_PATH}/webhooks/{endpoint_id}/deliveries/{event_id}/resend`, {
          params: { path: { ...params.path, event_id: eventId } },
        }),
      ),
    onSuccess,
    onError,
  });
  const resendFailed = useMutation({
    mutationFn: () => unwrap(api.POST(`${SCOPE_PATH}/webhooks/{endpoint_id}/resend-failed`, { params })),
    onSuccess,
    onError,
  });
  const hasFailed = deliveries.data?.data.some(({ status }) => status === 'failed') ?? false;
  return (
    <Panel
      title="Deliveries"
      description="The latest 50 events that were pushed to this endpoint. Answers are kept for 30 days."
      actions={
        mayChange &&
        hasFailed && (
          <Button isBusy={resendFailed.isPending} onClick={() => resendFailed.mutate()}>
            Resend all failed
          </Button>
        )
      }
    >
      <DataTable
        caption="Deliveries"
        columns={mayChange ? [...columns, actionColumn((eventId) => resend.mutate(eventId))] : columns}
        query={deliveries}
        rowKey={({ event_id }) => event_id}
        loadingLines={6}
        empty={<EmptyState title="No deliveries yet">They appear with the next event.</EmptyState>}
      />
    </Panel>
  );
}

const columns: Column<Delivery>[] = [
  {
    header: 'Event',
    cell: ({ type, sequence, event_id }) => (
      <>
        <span className="font-semibold">
          <EventName type={type} />
        </span>
        <span className="mt-0.5 block text-sm text-soft">Number {sequence}</span>
        <span className="hidden font-mono text-[0.8125rem] text-soft lg:block">{event_id}</span>
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ status, next_attempt_at }) => (
      <>
        <Badge tone={status === 'delivered' ? 'good' : status === 'failed' ? 'bad' : 'warn'}>
          {status === 'delivered' ? 'Delivered' : status === 'failed' ? 'Failed' : 'Pending'}
        </Badge>
        {next_attempt_at !== null && (
          <span className="mt-0.5 hidden text-sm text-soft sm:block">
            Next <Time at={next_attempt_at} />
          </span>
        )}
      </>
    ),
  },
  {
    header: 'Attempts',
    isWide: true,
    cell: ({ attempts }) => (
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
    ),
  },
];

const actionColumn = (onResend: (eventId: string) => void): Column<Delivery> => ({
  header: 'Action',
  align: 'right',
  cell: ({ event_id, type, sequence }) => (
    <Button size="small" onClick={() => onResend(event_id)} aria-label={`Resend ${type} ${sequence}`}>
      Resend
    </Button>
  ),
});
