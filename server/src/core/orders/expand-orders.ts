import { seesLinks } from '../../platform/authentication/caller.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import type { Deps } from '../deps.ts';
import { type ExpandDeps, expandGifts } from '../gifts/expand/expand-gifts.ts';
import type { GiftExpansion } from '../gifts/gift/expansion-schema.ts';
import type { Viewer } from '../gifts/gift/present-gift.ts';
import type { GiftBody } from '../gifts/gift/schema.ts';
import { type OrderHistoryRow, selectHistories } from './expand-queries.ts';
import type { OrderHistoryBody } from './history-schema.ts';
import { orderedBy } from './ordered-by.ts';
import type { OrderBody } from './schema.ts';

/**
 * Adds to orders and their gifts what the request asks for, as `expandGifts`.
 *
 * @returns the same orders, if it asks for nothing
 */
export async function expandOrders(
  deps: ExpandDeps & Pick<Deps, 'config'>,
  viewer: Viewer,
  expand: ReadonlySet<GiftExpansion>,
  orders: OrderBody[],
): Promise<OrderBody[]> {
  if (expand.size === 0 || orders.length === 0) return orders;
  const all = orders.flatMap(({ gifts }) => gifts);
  const [gifts, histories] = await Promise.all([
    expandGifts(deps, viewer, expand, all),
    expand.has('history') ? readHistories(deps, viewer, orders) : undefined,
  ]);
  const expanded = new Map(gifts.map((gift) => [gift.gift_id, gift]));
  return orders.map((order) => {
    const own = order.gifts.map((gift) => expanded.get(gift.gift_id) ?? gift);
    const row = histories?.get(order.order_id);
    if (row === undefined) return { ...order, gifts: own };
    return { ...order, gifts: own, history: presentHistory(deps.config.currency, viewer, row, own) };
  });
}

/** The same for one order. */
export async function answerOrder(
  deps: ExpandDeps & Pick<Deps, 'config'>,
  viewer: Viewer,
  expand: ReadonlySet<GiftExpansion>,
  order: OrderBody,
): Promise<OrderBody> {
  const [expanded = order] = await expandOrders(deps, viewer, expand, [order]);
  return expanded;
}

async function readHistories({ database }: Pick<Deps, 'database'>, viewer: Viewer, orders: readonly OrderBody[]) {
  const orderIds = orders.map(({ order_id }) => decodeId('ord', order_id));
  const { organizationId, environment } = viewer;
  const rows = await selectHistories(database.read, [organizationId, environment, JSON.stringify(orderIds)]);
  return new Map(rows.map((row) => [encodeId('ord', row.order_id), row]));
}

function presentHistory(
  currency: string,
  viewer: Viewer,
  row: OrderHistoryRow,
  gifts: readonly GiftBody[],
): OrderHistoryBody {
  const by = orderedBy(row);
  const isHidden = by.kind === 'member' && !seesLinks(viewer);
  const states: Record<string, number> = {};
  for (const { history } of gifts) if (history) states[history.state] = (states[history.state] ?? 0) + 1;
  return {
    created_at: row.created_at.toISOString(),
    amount: row.amount_cents,
    currency,
    ordered_by: isHidden ? { ...by, name: by.name && maskAddress(by.name) } : by,
    gifts_by_state: states,
  };
}
