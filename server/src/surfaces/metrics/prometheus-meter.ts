import { Counter, Histogram, Registry } from 'prom-client';
import { DELIVERY_OUTCOMES, type Meter } from '../../platform/base/meter.ts';

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BATCH_ORDERS = [1, 2, 4, 8, 16, 32, 64];
const BATCH_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

const ORDER_OUTCOMES = [
  'placed',
  'replayed',
  'database_unavailable',
  'outcome_unknown',
  'internal_error',
  'rate_limit_exceeded',
  'resource_locked',
];
const CHANNELS = ['email', 'phone', 'notice'] as const;
const PUSH_OUTCOMES = ['accepted', 'failed'];
const EVENT_OUTCOMES = ['accepted', 'repeated', 'refused'];
/** Those that alerts count. */
const WATCHED_STATUSES = ['429', '500', 'closed'];

export function createPrometheusMeter(): { meter: Meter; registry: Registry } {
  // Not the library's global registry, because tests run several services in one process.
  const registry = new Registry();
  const { requests, requestSeconds, orders, batchOrders, batchSeconds, deliveries, pushes, providerEvents } =
    createMetrics([registry]);
  // A counter that begins with its first event hides that event from `rate` and `increase`.
  for (const outcome of ORDER_OUTCOMES) orders.inc({ outcome }, 0);
  for (const channel of CHANNELS) for (const outcome of DELIVERY_OUTCOMES) deliveries.inc({ channel, outcome }, 0);
  for (const outcome of PUSH_OUTCOMES) pushes.inc({ outcome }, 0);
  for (const outcome of EVENT_OUTCOMES) providerEvents.inc({ provider: 'stripe', outcome }, 0);
  const meter: Meter = {
    route(method, route) {
      for (const status of WATCHED_STATUSES) requests.inc({ method, route, status }, 0);
    },
    request({ method, route = 'none', status, code, durationMs }) {
      requests.inc({ method, route, status });
      requestSeconds.observe({ method, route }, durationMs / 1000);
      if (method === 'POST' && route === '/v1/orders')
        orders.inc({ outcome: code ?? (status === 200 ? 'replayed' : 'placed') });
    },
    orderBatch(size, durationMs) {
      batchOrders.observe(size);
      batchSeconds.observe(durationMs / 1000);
    },
    delivery: (channel, outcome) => deliveries.inc({ channel, outcome }),
    push: (outcome) => pushes.inc({ outcome }),
    providerEvent: (provider, outcome) => providerEvents.inc({ provider, outcome }),
  };
  return { meter, registry };
}

function createMetrics(registers: Registry[]) {
  return {
    requests: new Counter({
      name: 'bestow_http_requests_total',
      help: 'Requests by route pattern and status; unknown paths have the route "none"; closed: the outcome is unknown.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'bestow_http_request_duration_seconds',
      help: 'Time from the request’s headers to its answer.',
      labelNames: ['method', 'route'],
      buckets: REQUEST_SECONDS,
      registers,
    }),
    orders: new Counter({
      name: 'bestow_orders_total',
      help: 'Answers to POST /v1/orders: placed, replayed, database_unavailable, outcome_unknown, or the error code.',
      labelNames: ['outcome'],
      registers,
    }),
    batchOrders: new Histogram({
      name: 'bestow_order_batch_size',
      help: 'Orders per placement statement.',
      buckets: BATCH_ORDERS,
      registers,
    }),
    batchSeconds: new Histogram({
      name: 'bestow_order_batch_duration_seconds',
      help: 'Duration of a placement statement, including its commit.',
      buckets: BATCH_SECONDS,
      registers,
    }),
    deliveries: new Counter({
      name: 'bestow_deliveries_total',
      help: 'Attempts to send a live message, by outcome.',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
    pushes: new Counter({
      name: 'bestow_webhook_pushes_total',
      help: 'Attempts to push an event to an endpoint, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    providerEvents: new Counter({
      name: 'bestow_provider_events_total',
      help: 'Calls of payment providers’ webhooks: accepted, repeated, or refused because they could not be verified.',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
  };
}
