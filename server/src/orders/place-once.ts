import type { PoolClient } from 'pg';
import type { PlacementRow } from './placement.ts';
import type { OrderRecord } from './prepare-order.ts';
import { placeOrders, placeOrdersOfOne, placeScheduled, placeScheduledOfOne } from './queries.ts';

/** Runs the statement that places a batch of orders. */
export function placeOnce(client: PoolClient, orders: OrderRecord[], isSharded: boolean): Promise<PlacementRow[]> {
  const rows = JSON.stringify(orders.map((order, n) => ({ n, ...order, gifts: undefined })));
  const gifts = JSON.stringify(orders.flatMap((order, n) => order.gifts.map((gift) => ({ n, ...gift }))));
  const [{ organization_id = '' } = {}] = orders;
  const isScheduling = orders.some(({ is_scheduled }) => is_scheduled);
  if (isSharded) return (isScheduling ? placeScheduledOfOne : placeOrdersOfOne)(client, [organization_id, rows, gifts]);
  const organizationIds = orders.map((order) => order.organization_id);
  return (isScheduling ? placeScheduled : placeOrders)(client, [rows, gifts], organizationIds);
}
