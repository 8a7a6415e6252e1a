import { type FakeGift, presentGift, renewLink } from './gift.ts';
import { GIFT_ACTS } from './gift-acts.ts';
import type { Operation } from './input.ts';
import { matchesGift, matchesOrder, pageOf } from './lists.ts';
import type { FakeEvent, Memory } from './memory.ts';
import { cancelOrder, effectOf, type OrderInput, placeOrder, presentOrder } from './orders.ts';
import { invalid, Refusal } from './refusal.ts';
import { RULES } from './rules.ts';
import { changeEndpoint, createEndpoint, rotateSecret, withSecret } from './webhooks.ts';

/** A request that was read and checked. */
export interface Call {
  operation: Operation;
  id: string;
  query: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a checked body
  body: any;
  key: string | undefined;
  /** What a key is bound to: method, path and body. */
  request: string;
  senderName: string;
  /** Whether the caller has stopped to wait. */
  isEnded(): boolean;
}
export interface Done {
  status?: number;
  isReplay?: boolean;
  body: unknown;
  /** The caller gets no answer. */
  isLost?: boolean;
  /** How long the answer takes, by the clock of the fake. */
  delayMs?: number;
}
type Act = (memory: Memory, call: Call) => Done | Promise<Done>;

const MOST_EVENTS = 100;
const POLL_MS = 5;
/** What a slow address takes. */
const SLOW_MS = 5_000;

const list = (data: unknown[], has_more = false) => ({ body: { object: 'list', data, has_more } });
const hasHistory = ({ query }: Call) => query['expand']?.includes('history') ?? false;

function found<Item>(items: ReadonlyMap<string, Item>, id: string): Item {
  const item = items.get(id);
  if (item === undefined) throw new Refusal('resource_missing');
  return item;
}

/** Does the act unless its key did it before; returns the id of what it made. */
function once(memory: Memory, { key, request }: Call, act: () => string): { id: string; isReplay: boolean } {
  const earlier = key === undefined ? undefined : memory.usedKeys.get(key);
  if (earlier !== undefined && earlier.request !== request)
    throw new Refusal('idempotency_key_reused', { param: 'Idempotency-Key' });
  const id = earlier?.id ?? act();
  if (key !== undefined) memory.usedKeys.set(key, { request, id });
  return { id, isReplay: earlier !== undefined };
}

/** What the addresses of an act do to its answer. */
function delayOf(gifts: Pick<FakeGift, 'delivery'>[]): Pick<Done, 'isLost' | 'delayMs'> {
  const effects = gifts.map(({ delivery }) => effectOf(delivery));
  return { isLost: effects.includes('response_lost'), delayMs: effects.includes('slow') ? SLOW_MS : 0 };
}

const createOrder: Act = (memory, call) => {
  const { key = '', senderName } = call;
  const body = call.body as OrderInput;
  // Keys of orders are apart from those of other acts.
  const ofOrder = { ...call, key: `order ${key}` };
  const { id, isReplay } = once(memory, ofOrder, () => placeOrder(memory, key, body, senderName).order_id);
  const order = presentOrder(found(memory.orders, id), hasHistory(call));
  return { status: isReplay ? 200 : 201, isReplay, body: order, ...(!isReplay && delayOf(body.gifts)) };
};

const actOnGift: Act = (memory, call) => {
  const gift = found(memory.gifts, call.id);
  const act = () => {
    GIFT_ACTS[call.operation.id]?.(memory, gift, call.body);
    return gift.gift_id;
  };
  const { isReplay } = once(memory, call, act);
  const isDelayed = call.operation.id === 'redirectGift' && !isReplay;
  return { isReplay, body: presentGift(gift, hasHistory(call)), ...(isDelayed && delayOf([gift])) };
};

const listEvents: Act = async (memory, { query, isEnded }) => {
  const { after, limit = `${MOST_EVENTS}`, types, wait = '0', expand = '' } = query;
  const wanted = types?.split(',');
  if (wanted?.some((type) => !RULES.event_types.includes(type)))
    throw invalid('types', 'must be known types of events');
  const known = () =>
    memory.events.filter(({ sequence, type }) => sequence > Number(after ?? 0) && (wanted?.includes(type) ?? true));
  const first_sequence = memory.events[0]?.sequence ?? memory.sequence + 1;
  const isKnown = after === undefined || (Number(after) >= first_sequence - 1 && Number(after) <= memory.sequence);
  if (!isKnown) throw new Refusal('cursor_invalid', { param: 'after' });
  const untilMs = performance.now() + 1_000 * Number(wait);
  while (known().length === 0 && performance.now() < untilMs && !isEnded())
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const data = known().slice(0, Number(limit));
  const isFull = data.length === Number(limit);
  const next_after = (isFull ? data.at(-1)?.sequence : undefined) ?? memory.sequence;
  const has_more = next_after < memory.sequence;
  const shown = expand.includes('resource')
    ? data.map((event) => ({ ...event, resource: resourceOf(memory, event, expand.includes('history')) }))
    : data;
  return { body: { object: 'list', data: shown, has_more, next_after, first_sequence } };
};

function resourceOf(memory: Memory, { data }: FakeEvent, isLong: boolean): object | null {
  const gift = memory.gifts.get(`${data['gift_id']}`);
  if (gift !== undefined) return presentGift(gift, isLong);
  const order = memory.orders.get(`${data['order_id']}`);
  return order === undefined ? null : presentOrder(order, isLong);
}

const resetSandbox: Act = (memory) => {
  const { orders, gifts, entries } = memory;
  const body = {
    object: 'sandbox_reset',
    orders_deleted: orders.size,
    gifts_deleted: gifts.size,
    balances_deleted: 1,
    ledger_entries_deleted: entries.length,
  };
  memory.clear();
  memory.emit('sandbox.reset', {});
  return { body };
};

const retrieveBalance: Act = ({ balance, entries }) => {
  const last_entry = entries.at(-1);
  return { body: { object: 'balance', available: balance, currency: 'USD', ...(last_entry && { last_entry }) } };
};

const presentCategory = ({ id, ...category }: (typeof RULES.categories)[number]) => ({
  id,
  ...category,
  artwork: `https://bestow.test/artwork/${id}.svg`,
  product_details_url: `https://bestow.test/catalog/${id}`,
});

/** What the fake does in each operation that it has. */
export const ACTS: Record<string, Act> = {
  getHealth: () => ({ body: { status: 'ok' } }),
  listCategories: () => list(RULES.categories.map(presentCategory)),
  createOrder,
  retrieveOrder: (memory, call) => ({ body: presentOrder(found(memory.orders, call.id), hasHistory(call)) }),
  listOrders(memory, call) {
    const { query } = call;
    const page = pageOf(
      [...memory.orders.values()],
      (one) => one.order_id,
      query,
      (one) => matchesOrder(one, query),
    );
    return list(
      page.data.map((order) => presentOrder(order, hasHistory(call))),
      page.has_more,
    );
  },
  cancelOrder(memory, call) {
    const order = found(memory.orders, call.id);
    const act = () => cancelOrder(memory, order, call.body.reason ?? null);
    return { isReplay: once(memory, call, act).isReplay, body: presentOrder(order, hasHistory(call)) };
  },
  retrieveGift(memory, call) {
    const gift = found(memory.gifts, call.id);
    renewLink(memory, gift);
    return { body: presentGift(gift, hasHistory(call)) };
  },
  listGifts(memory, call) {
    const { query } = call;
    const page = pageOf(
      [...memory.gifts.values()],
      (one) => one.gift_id,
      query,
      (one) => matchesGift(one, query),
    );
    return list(
      page.data.map((gift) => presentGift(gift, hasHistory(call))),
      page.has_more,
    );
  },
  ...Object.fromEntries(Object.keys(GIFT_ACTS).map((id) => [id, actOnGift])),
  retrieveBalance,
  listBalanceEntries({ entries }, { query }) {
    const page = pageOf(
      entries,
      (one) => one.entry_id,
      query,
      ({ kind }) => (query['kind'] ?? kind) === kind,
    );
    return list(page.data, page.has_more);
  },
  resetSandbox,
  listEvents,
  createWebhookEndpoint(memory, call) {
    const { id, isReplay } = once(memory, call, () => createEndpoint(memory, call.body).shown.endpoint_id);
    return { status: 201, isReplay, body: withSecret(found(memory.endpoints, id)) };
  },
  listWebhookEndpoints: (memory) => list([...memory.endpoints.values()].map(({ shown }) => shown)),
  retrieveWebhookEndpoint: (memory, { id }) => ({ body: found(memory.endpoints, id).shown }),
  updateWebhookEndpoint(memory, { id, body }) {
    const endpoint = found(memory.endpoints, id);
    changeEndpoint(memory, endpoint, body);
    return { body: endpoint.shown };
  },
  deleteWebhookEndpoint(memory, { id: endpoint_id }) {
    found(memory.endpoints, endpoint_id);
    memory.endpoints.delete(endpoint_id);
    return { body: { endpoint_id, deleted: true } };
  },
  rotateWebhookSecret(memory, call) {
    const endpoint = found(memory.endpoints, call.id);
    const act = () => rotateSecret(memory, endpoint, call.body.overlap_hours);
    return { isReplay: once(memory, call, act).isReplay, body: withSecret(endpoint) };
  },
};
