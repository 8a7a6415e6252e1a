import type { OrderInput } from './bodies.ts';
import { AbortError, BestowError, TimeoutError } from './errors.ts';
import { limit, sleep } from './limit.ts';
import { methodsOf } from './methods.ts';
import { checkTimes } from './options.ts';
import type { Order } from './resources.ts';
import type { Answer, CallOptions, Connection, Expand, Expanded, GiftParts } from './send.ts';
import { type Resumed, readKept } from './store.ts';

const FIRST_LOOK_MS = 500;
const LONGEST_LOOK_MS = 5_000;

type SentOrders = ReturnType<typeof methodsOf.orders>;
/** Orders. Amounts are in cents. */
export type Orders = SentOrders & ReturnType<typeof keptOrdersOf>;

export function ordersOf(connection: Connection): Orders {
  const orders = methodsOf.orders(connection);
  return Object.assign(orders, keptOrdersOf(connection, orders));
}

/** What does more than to send. */
const keptOrdersOf = (connection: Connection, orders: SentOrders) => ({
  /**
   * Sends every order again that the `store` keeps, with its own key and body, so that none is placed twice. Resolves to
   * the result of each, and last a StoreError about orders that the store could not read.
   */
  resume: <Parts extends GiftParts = []>(options?: CallOptions & Expand<Parts>) => resumeKept(connection, options),
  /** The order with this `external_id`, or undefined. */
  findByExternalId: async <Parts extends GiftParts = []>(
    externalId: string,
    { expand, ...options }: CallOptions & Expand<Parts> = {},
  ): Promise<Expanded<Order, Parts> | undefined> => {
    if (typeof externalId !== 'string' || externalId === '') throw new TypeError('The external id is missing.');
    const { data } = await orders.list({ external_id: externalId, limit: 1, expand }, options).page();
    return data[0];
  },
  /**
   * Reads an order until it is no longer `processing`. `timeoutMs` limits the whole wait.
   * @throws TimeoutError if it is still `processing` then, InvalidRequestError `resource_missing`
   */
  waitUntilProcessed: async <Parts extends GiftParts = []>(
    orderId: string,
    options: CallOptions & Expand<Parts> = {},
  ): Promise<Answer<Expanded<Order, Parts>>> => {
    const { timeoutMs = connection.options.timeoutMs ?? 60_000, signal } = options;
    checkTimes({ timeoutMs });
    const untilMs = performance.now() + timeoutMs;
    let leftMs = timeoutMs;
    const { signal: stop, release } = limit(timeoutMs, signal);
    try {
      for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_LOOK_MS)) {
        const order = await orders.retrieve(orderId, { ...options, timeoutMs: leftMs });
        if (order.status !== 'processing') return order;
        const { attempts, status, headers } = order.lastResponse;
        const facts = { attempts, status, headers, idempotencyKey: undefined, outcomeUnknown: false };
        // A `pause` of tests takes less than it must.
        leftMs = Math.min(untilMs - performance.now(), leftMs) - pauseMs;
        if (leftMs <= 0) throw new TimeoutError(`Order ${orderId} is still processing after ${timeoutMs} ms.`, facts);
        await (connection.options.pause ?? sleep)(pauseMs, stop);
        if (signal?.aborted) throw new AbortError('The wait was aborted.', facts, signal.reason);
      }
    } finally {
      release();
    }
  },
});

async function resumeKept<Parts extends GiftParts>(
  connection: Connection,
  options: (CallOptions & Expand<Parts>) | undefined,
): Promise<Resumed<Answer<Expanded<Order, Parts>>>[]> {
  const { store } = connection.options;
  if (store === undefined) throw new TypeError('The client has no store: new Bestow(key, { store }).');
  const { kept, failure } = await readKept(store);
  const results: Resumed<Answer<Expanded<Order, Parts>>>[] = [];
  for (const { idempotencyKey, body: text } of kept) {
    const body: OrderInput = JSON.parse(text);
    const call = { ...options, idempotencyKey };
    try {
      const order: Answer<Expanded<Order, Parts>> = await connection.expanded('createOrder', { kept: text }, call);
      results.push({ idempotencyKey, body, order, error: undefined });
    } catch (error) {
      if (!(error instanceof BestowError)) throw error;
      results.push({ idempotencyKey, body, order: undefined, error });
    }
  }
  if (failure) results.push({ idempotencyKey: undefined, body: undefined, order: undefined, error: failure });
  return results;
}
