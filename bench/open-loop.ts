import { withBareRoute } from './ceiling/bare-route.ts';
import { type LoadResult, runLoad } from './load/run-load.ts';
import type { Bench, MeasuredRow } from './measure-rows.ts';
import { number, table } from './print.ts';
import { OPEN_LOOP, ORDERS_ROW } from './rows.ts';

export interface OpenLoop {
  perSecond: number;
  orders: LoadResult;
  /** The same schedule against a route that does nothing: the cost of machine and generator. */
  bareRoute: LoadResult;
  isMet: boolean;
}

/** Sends orders on a fixed schedule, at half the saturation rate. */
export async function measureOpenLoop(bench: Bench, measured: readonly MeasuredRow[]): Promise<OpenLoop> {
  const { url, site, seconds, say } = bench;
  const { connections, goalP99Ms } = OPEN_LOOP;
  const requests = ORDERS_ROW.requests(site);
  const saturated =
    measured.find(({ row }) => row === ORDERS_ROW)?.service.median ??
    (await runLoad(url, { requests, connections, seconds })).perSecond;
  const perSecond = Math.max(1, Math.round(saturated / 2));
  say(`open loop: ${perSecond} orders a second, by the clock`);
  const load = { requests, connections, seconds: 2 * seconds, perSecond };
  const orders = await runLoad(url, load);
  say('open loop: the same to a bare route');
  const bareRoute = await withBareRoute((bareUrl) => runLoad(bareUrl, load));
  return { perSecond, orders, bareRoute, isMet: orders.p99Ms <= goalP99Ms };
}

export function presentOpenLoop({ perSecond, orders, bareRoute, isMet }: OpenLoop): string {
  const line = (name: string, { p50Ms, p95Ms, p99Ms, p999Ms, succeeded, sent }: LoadResult, ...goal: string[]) => [
    name,
    ...[p50Ms, p95Ms, p99Ms, p999Ms].map((ms) => number(ms, 1)),
    ...goal,
    `${sent - succeeded} of ${sent}`,
  ];
  return `Orders at half the saturation rate, ${number(perSecond)} a second by the clock, in milliseconds:\n\n${table(
    ['', 'p50', 'p95', 'p99', 'p99.9', 'Goal', '', 'Not 201'],
    [
      line('Bestow', orders, `p99 ≤ ${OPEN_LOOP.goalP99Ms}`, isMet ? 'met' : 'not met'),
      line('a bare route, the same requests', bareRoute, '', ''),
    ],
  )}`;
}
