import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { ChevronRightIcon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/page.tsx';
import { EmptyState, Loaded, RefreshFailed } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { EventName } from './webhook-parts.tsx';

type LatestEvent = components['schemas']['LatestEvent'];

const REFRESH_MS = 2_000;

/** The latest events of the mode, read every two seconds until the person pauses. */
export function WebhookEvents() {
  const { path, environment } = useScope();
  const [isPaused, setIsPaused] = useState(false);
  const events = useQuery({
    queryKey: ['events', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/events`, { params: { path } })),
    refetchInterval: REFRESH_MS,
    enabled: !isPaused,
  });
  return (
    <Panel
      title="Latest events"
      description="The last 30 as they happen, also without an endpoint."
      actions={
        <div className="flex items-center gap-3">
          <Badge tone={isPaused ? 'plain' : 'good'}>{isPaused ? 'Paused' : 'Following'}</Badge>
          <Button size="small" onClick={() => setIsPaused(!isPaused)}>
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        </div>
      }
    >
      <Loaded query={events} lines={6}>
        {({ data }) => (
          <>
            {events.error !== null && <RefreshFailed error={events.error} />}
            {data.length === 0 ? (
              <EmptyState title={`No ${environment} events yet`}>
                {environment === 'sandbox' && (
                  <>
                    Place an order, or run <Code>bestow trigger gift.claimed</Code>.
                  </>
                )}
              </EmptyState>
            ) : (
              <Tail events={data} />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Screen readers hear each new event; the list scrolls by keyboard. */
const Tail = ({ events }: { events: readonly LatestEvent[] }) => (
  <div
    role="log"
    aria-label="Latest events"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    tabIndex={0}
    className="-mx-5 -mb-5 max-h-112 overflow-y-auto rounded-b-2xl border-t border-line sm:-mx-6 sm:-mb-6"
  >
    <ol>
      {events.map((event) => (
        <li key={event.event_id} className="border-b border-line px-5 py-2.5 last:border-0 sm:px-6">
          <details className="group">
            <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-0.5">
              <ChevronRightIcon className="shrink-0 text-soft group-open:rotate-90" />
              <span className="min-w-8 shrink-0 text-sm text-soft tabular-nums">#{event.sequence}</span>
              <span className="min-w-44 flex-1 font-semibold">
                <EventName type={event.type} />
              </span>
              <span className="text-sm text-soft">
                <Time at={event.created_at} hasSeconds />
              </span>
            </summary>
            <Subject {...event} />
            <pre className="mt-2 whitespace-pre-wrap wrap-anywhere rounded-xl bg-sunken px-4 py-3 font-mono text-[0.8125rem]">
              {JSON.stringify(event, undefined, 2)}
            </pre>
          </details>
        </li>
      ))}
    </ol>
  </div>
);

function Subject({ data: { gift_id, order_id } }: LatestEvent) {
  const { params } = useScope();
  const look = 'text-accent underline underline-offset-2';
  if (typeof gift_id === 'string')
    return (
      <p className="mt-2 text-sm">
        <Link to="/$organizationId/$environment/gifts/$giftId" params={{ ...params, giftId: gift_id }} className={look}>
          View gift
        </Link>
      </p>
    );
  if (typeof order_id !== 'string') return null;
  return (
    <p className="mt-2 text-sm">
      <Link
        to="/$organizationId/$environment/orders/$orderId"
        params={{ ...params, orderId: order_id }}
        className={look}
      >
        View order
      </Link>
    </p>
  );
}
