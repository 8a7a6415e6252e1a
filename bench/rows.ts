import type { Work } from './ceiling/work.ts';
import type { LoadRequest } from './load/request.ts';
import { orderRequest, type Site } from './site.ts';

/** A task of PostgreSQL alone or of a bare route, or the orders row of the same run. */
export type Reference = { work: Work; connections: number } | 'bare route' | 'orders row';

export interface Comparison {
  name: string;
  reference: Reference;
  /** Smallest ratio of rates, largest ratio of latencies. */
  goal: number | undefined;
  /** The short run fails beyond it; by default half the goal, or twice for latencies. */
  limit?: number;
}

/** One row of the benchmark table: a task of the service beside others. */
export interface Row {
  /** Name for `--only`. */
  name: string;
  work: string;
  connections: number;
  comparisons: readonly Comparison[];
  /** Settings of a server only for this row, which the short run leaves out. */
  settings?: Record<string, string>;
  measures: 'rate' | 'latency';
  mostP99Ms?: number;
  leastPerSecond?: number;
  /** Whether 409 is counted apart from errors. */
  mayConflict: boolean;
  /** Whether the short run fails beyond the limit; false for rows that are beyond it today (bench/NOTES.md). */
  isHeld: boolean;
  requests(site: Site): LoadRequest[];
}

const CEILING_CONNECTIONS = 16;

/** The same rows in the service's tables. */
const ceiling = (work: Work, goal?: number, connections = CEILING_CONNECTIONS): Comparison => ({
  name: 'ceiling',
  reference: { work, connections },
  goal,
});
const leanCeiling = (goal: number): Comparison => ({ ...ceiling('lean order', goal), name: 'lean ceiling' });
const ordersRow = (goal: number): Comparison => ({ name: 'first row', reference: 'orders row', goal });

const orders = (organizations: number, gifts = 2) => ({
  measures: 'rate' as const,
  mayConflict: true,
  isHeld: true,
  requests: ({ sandbox }: Site) => sandbox.slice(0, organizations).map(({ key }) => orderRequest(key, gifts)),
});
const EVERY = 256;
const feedPath = (after: number) => `/v1/events?limit=1000&after=${after}`;

const read = (name: string, work: string, comparison: Comparison, isHeld: boolean, requests: Row['requests']): Row => ({
  name,
  work,
  connections: 128,
  comparisons: [comparison],
  measures: 'rate',
  mayConflict: false,
  isHeld,
  requests,
});

export const ORDERS_ROW: Row = {
  ...orders(EVERY),
  name: 'orders',
  work: '`POST /v1/orders`, two gifts, 256 organizations',
  connections: 128,
  comparisons: [ceiling('order', 1.5), leanCeiling(0.6)],
};

/** The open loop sends half of the first row's rate; the cost of an order is measured on it. */
export const rows: readonly Row[] = [
  ORDERS_ROW,
  {
    ...orders(EVERY),
    name: 'orders-16',
    work: 'the same',
    connections: 16,
    comparisons: [ceiling('order', 0.85), leanCeiling(0.45)],
  },
  {
    ...orders(1),
    name: 'one-organization',
    work: 'the same, one organization',
    connections: 128,
    comparisons: [ceiling('order', 1.3), ordersRow(0.9)],
  },
  {
    ...orders(EVERY),
    name: 'live',
    work: 'the same, live with two emails',
    connections: 128,
    // The ceiling writes no messages.
    comparisons: [ceiling('order', 1.2)],
    requests: ({ live }) => live.map(({ key }) => orderRequest(key)),
  },
  {
    ...orders(EVERY, 10),
    name: 'ten',
    work: 'the same, ten gifts',
    connections: 128,
    comparisons: [ceiling('order of ten', 1.2)],
  },
  {
    ...orders(1),
    name: 'alone',
    work: 'one organization, one order after another',
    connections: 1,
    comparisons: [{ ...ceiling('order', 1.7, 1), limit: 4 }],
    isHeld: false,
    measures: 'latency',
    mayConflict: false,
  },
  read('replay', 'replay of an order', ceiling('replay', 0.3), false, ({ placed }) =>
    placed.map(({ key, idempotencyKey }) => orderRequest(key, 2, idempotencyKey)),
  ),
  read('gift', '`GET /v1/gifts/{gift_id}`', ceiling('gift', 0.4), false, ({ gifts }) =>
    gifts.map(({ key, giftId }) => ({ method: 'GET', path: `/v1/gifts/${giftId}`, key })),
  ),
  read('list', '`GET /v1/gifts?limit=10`, of 1,000 gifts', ceiling('page', 0.25), false, ({ listed }) =>
    listed.map(({ key }) => ({ method: 'GET', path: '/v1/gifts?limit=10', key })),
  ),
  {
    name: 'feed',
    work: '`GET /v1/events?limit=1000`; a page is 1,000 events',
    connections: 16,
    comparisons: [],
    measures: 'rate',
    leastPerSecond: 50,
    mayConflict: false,
    isHeld: true,
    requests: ({ listed }) =>
      listed.flatMap(({ key }) => [0, 1_000].map((after) => ({ method: 'GET', path: feedPath(after), key }))),
  },
  read('health', '`GET /v1/health`', { name: 'bare route', reference: 'bare route', goal: 0.7 }, true, () => [
    { method: 'GET', path: '/v1/health' },
  ]),
  {
    ...orders(EVERY),
    name: 'unbatched',
    work: 'orders without batches (`ORDER_BATCH=1`)',
    connections: 128,
    comparisons: [ceiling('order')],
    settings: { ORDER_BATCH: '1' },
  },
  {
    ...orders(EVERY),
    name: 'processes',
    work: 'orders, two processes (`PROCESSES=2`)',
    connections: 128,
    // The processes share the cores of one, so the rate cannot grow on two cores.
    comparisons: [ordersRow(0.8)],
    settings: { PROCESSES: '2' },
  },
  {
    ...orders(1),
    name: 'workers',
    work: 'one organization, 20 workers, two processes',
    connections: 20,
    comparisons: [],
    settings: { PROCESSES: '2' },
    mostP99Ms: 100,
    mayConflict: false,
  },
];

/** Latency of orders at half the saturation rate. */
export const OPEN_LOOP = { name: 'open-loop', goalP99Ms: 20, connections: 128 } as const;
