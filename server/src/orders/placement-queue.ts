import { createBatcher } from '../base/batch.ts';
import type { Meter } from '../base/meter.ts';
import type { Scope } from '../base/principal.ts';
import { RecentMap } from '../base/recent-map.ts';
import type { Tracer } from '../base/tracer.ts';
import { placementConnections } from '../database/connections.ts';
import { isOutOfOrder } from '../database/lost-commit.ts';
import type { OrderRecord } from './order-record.ts';
import type { PlacementRow } from './queries.ts';
import { type PlacementDeps, placeUntilKnown } from './write-orders.ts';

/**
 * The outcome for one order. `same_key_under_way`: another request with the idempotency key is running in this process;
 * `failed`: PostgreSQL refused the statement and wrote nothing.
 */
type Placement = PlacementRow | { outcome: 'same_key_under_way' } | { outcome: 'failed'; error: unknown };

export interface PlacementQueue {
  /**
   * Places the order in a batch with others that arrive at the same moment.
   *
   * @throws QueueFull if too many orders are queued; OutcomeUnknown if the order may have been placed; any other error if
   *   it was not placed
   */
  submit(order: OrderRecord): Promise<Placement>;
  /** Returns whether this process recently saw the key's order placed. A hint only: the database decides. */
  hasPlaced(scope: Scope, idempotencyKey: string): boolean;
}

const MAX_WAIT_MS = 5_000;
/** About 3 MB. */
const MAX_KEYS_REMEMBERED = 20_000;
/** A statement costs 0.8 ms for any batch size: at 16 connections, one statement at a time placed a fifth more than two. */
const WORTH_A_RUN = 16;

/** @param maxBatch maximum orders per statement; 1 turns batching off */
export function createPlacementQueue(deps: PlacementDeps & Observers, maxBatch: number): PlacementQueue {
  const batcher = createBatcher<OrderRecord, Placement>({
    run: (orders) => observeBatch(deps, orders, () => placeBatch(deps, orders)),
    maxItems: maxBatch,
    maxRuns: placementConnections(maxBatch),
    worthARun: WORTH_A_RUN,
    maxWaitMs: MAX_WAIT_MS,
    isStall: isOutOfOrder,
  });
  // The key of the running order, by organization and environment; bounded by the queue.
  const underWay = new Map<string, string>();
  const placedKeys = new RecentMap<string, true>(MAX_KEYS_REMEMBERED);

  function remember({ outcome }: Placement, { organization_id, environment, idempotency_key }: OrderRecord): void {
    if (outcome !== 'placed' && outcome !== 'replayed') return;
    placedKeys.set(organization_id + environment + idempotency_key, true);
  }

  return {
    hasPlaced: ({ organizationId, environment }, key) => placedKeys.get(organizationId + environment + key) ?? false,
    async submit(order) {
      const owner = order.organization_id + order.environment;
      const keyUnderWay = underWay.get(owner);
      if (keyUnderWay === order.idempotency_key) return { outcome: 'same_key_under_way' };
      // It does not need the balance's lock.
      if (!order.may_be_placed) return batcher.submit(order);
      // In one batch, only one order per organization and environment can lock the balance. A second one runs without the
      // lock: a replay or an earlier refusal is answered, anything else is `locked`.
      if (keyUnderWay !== undefined) return asLocked(await batcher.submit({ ...order, may_be_placed: false }), order);
      underWay.set(owner, order.idempotency_key);
      try {
        const placement = await batcher.submit(order);
        remember(placement, order);
        return placement;
      } finally {
        underWay.delete(owner);
      }
    },
  };
}

interface Observers {
  meter: Meter;
  tracer: Tracer | undefined;
}

async function observeBatch<Result>(
  { meter, tracer }: Observers,
  orders: OrderRecord[],
  act: () => Promise<Result>,
): Promise<Result> {
  const startedAtMs = performance.now();
  try {
    if (tracer === undefined) return await act();
    const links = orders.flatMap(({ traceparent }) => traceparent ?? []);
    const attributes = { 'bestow.orders': orders.length };
    return await tracer.span({ name: 'place orders together', kind: 'internal', attributes, links }, act);
  } finally {
    meter.orderBatch(orders.length, performance.now() - startedAtMs);
  }
}

function asLocked(placement: Placement, order: OrderRecord): Placement {
  if (placement.outcome !== 'refused' || !order.may_be_placed) return placement;
  return { ...placement, outcome: placement.is_configured ? 'locked' : 'not_configured' };
}

/** Places a batch in one statement. If PostgreSQL refuses it, places one order at a time, so that only the bad order fails. */
async function placeBatch(deps: PlacementDeps, orders: OrderRecord[]): Promise<Placement[]> {
  try {
    return await placeUntilKnown(deps, orders);
  } catch (error) {
    if (orders.length === 1 || isOutOfOrder(error)) throw error;
    deps.log.error(
      { err: error, orders: orders.length },
      'A batch of orders failed and is placed one order at a time.',
    );
  }
  const placements: Placement[] = [];
  for (const order of orders) {
    const alone = placeUntilKnown(deps, [order]).then(([placement]) => placement as Placement);
    placements.push(await alone.catch((error: unknown) => ({ outcome: 'failed' as const, error })));
  }
  return placements;
}
