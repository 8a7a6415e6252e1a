import type { Work } from './ceiling/work.ts';
import type { LoadRequest } from './load/request.ts';
import { orderRequest, type Site } from './site.ts';

/** One row of the benchmark table: a task of the service beside its ceiling. */
export interface Row {
  /** Name for `--only`. */
  name: string;
  work: string;
  connections: number;
  /** The ceiling's task in PostgreSQL or on a bare route. */
  ceiling: { work: Work | 'bare route'; connections: number };
  /** Smallest ratio to the ceiling for rates, largest for latency. */
  goal: number;
  /** Whether the short run fails below half the goal; false for rows that are below it today (bench/NOTES.md). */
  isHeld: boolean;
  measures: 'rate' | 'latency';
  hasConflicts: boolean;
  requests(site: Site): LoadRequest[];
}

const CEILING_CONNECTIONS = 16;

const ofOrders = (gifts: number) => (site: Site) => site.sandbox.map(({ key }) => orderRequest(key, gifts));

const rate = (
  name: string,
  work: string,
  ceiling: Row['ceiling']['work'],
  goal: number,
  requests: Row['requests'],
  connections = 128,
): Row => ({
  name,
  work,
  connections,
  ceiling: { work: ceiling, connections: CEILING_CONNECTIONS },
  goal,
  isHeld: true,
  measures: 'rate',
  hasConflicts: ceiling === 'order' || ceiling === 'order of ten' || ceiling === 'replay',
  requests,
});

const ORDERS = 'POST /v1/orders, two gifts, sandbox';

export const ORDERS_ROW = rate('orders', ORDERS, 'order', 1.2, ofOrders(2));

const READS: readonly Row[] = [
  rate('replay', 'replay of an order', 'replay', 0.4, (site) =>
    site.placed.map(({ key, idempotencyKey }) => orderRequest(key, 2, idempotencyKey)),
  ),
  rate('gift', 'GET /v1/gifts/{gift_id}', 'gift', 0.6, (site) =>
    site.gifts.map(({ key, giftId }) => ({ method: 'GET', path: `/v1/gifts/${giftId}`, key })),
  ),
  rate('list', 'GET /v1/gifts?limit=10, of 1,000 gifts', 'page', 0.5, (site) =>
    site.listed.map(({ key }) => ({ method: 'GET', path: '/v1/gifts?limit=10', key })),
  ),
];

/** The open loop sends half of this row's rate; the cost of an order is measured on it. */
export const rows: readonly Row[] = [
  ORDERS_ROW,
  rate('orders-16', ORDERS, 'order', 0.8, ofOrders(2), 16),
  // The ceiling writes no pg-boss jobs.
  rate('live', 'POST /v1/orders, two gifts, live with delivery jobs', 'order', 0.8, (site) =>
    site.live.map(({ key }) => orderRequest(key)),
  ),
  rate('ten', 'POST /v1/orders, ten gifts', 'order of ten', 1, ofOrders(10)),
  {
    name: 'alone',
    work: 'one organization, orders one after another',
    connections: 1,
    ceiling: { work: 'order', connections: 1 },
    goal: 2,
    isHeld: true,
    measures: 'latency',
    hasConflicts: true,
    requests: (site) => ofOrders(2)(site).slice(1, 2),
  },
  ...READS.map((row) => ({ ...row, isHeld: false })),
  rate('health', 'GET /v1/health', 'bare route', 0.7, () => [{ method: 'GET', path: '/v1/health' }]),
];

/** Latency of orders at half the saturation rate. */
export const OPEN_LOOP = { name: 'open-loop', goalP99Ms: 15, connections: 128 } as const;
