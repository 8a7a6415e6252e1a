import type { Pool } from 'pg';
import { isOutOfOrder } from '../../platform/database/lost-commit.ts';
import { repeatUntilKnown } from '../../platform/database/repeat-until-known.ts';
import type { Deps } from '../deps.ts';
import type { PlacementRow } from './placement.ts';
import type { OrderRecord } from './prepare-order.ts';
import type { placeAnyOrders } from './queries.ts';

export type LaneDeps = Pick<Deps, 'clock' | 'config' | 'ids' | 'log' | 'meter' | 'tracer'> & { placement: Pool };

/** PostgreSQL's decision about an order, or its error if it refused the statement and wrote nothing. */
export type Placement = PlacementRow | { error: unknown };

/** Places a group in one statement. If PostgreSQL refuses it, places one order at a time, so that only the bad order fails. */
export async function placeGroup(
  deps: LaneDeps,
  orders: OrderRecord[],
  statement: typeof placeAnyOrders,
): Promise<Placement[]> {
  const place = (some: OrderRecord[]) => repeatUntilKnown(deps.placement, (client) => statement(client, some));
  try {
    return await observe(deps, orders, () => place(orders));
  } catch (error) {
    if (orders.length === 1 || isOutOfOrder(error)) throw error;
    const fields = { err: error, orders: orders.length };
    deps.log.error(fields, 'A group of orders failed and is placed one order at a time.');
  }
  const placements: Placement[] = [];
  for (const order of orders) placements.push(...(await place([order]).catch((error: unknown) => [{ error }])));
  return placements;
}

async function observe<Result>({ meter, tracer }: LaneDeps, orders: OrderRecord[], act: () => Promise<Result>) {
  const startedAtMs = performance.now();
  const links = orders.flatMap(({ traceparent }) => traceparent ?? []);
  try {
    if (tracer === undefined) return await act();
    const attributes = { 'bestow.orders': orders.length };
    return await tracer.span({ name: 'place orders together', kind: 'internal', attributes, links }, act);
  } finally {
    meter.orderBatch(orders.length, performance.now() - startedAtMs);
  }
}
