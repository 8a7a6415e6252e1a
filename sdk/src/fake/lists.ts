import { addressOf, type FakeGift, stateOf, statusOf } from './gift.ts';
import { type FakeOrder, statusOfOrder } from './memory.ts';
import { readPhone } from './orders.ts';
import { Refusal } from './refusal.ts';
import { readTimeMs } from './time.ts';

type Query = Record<string, string>;
export interface Page<One> {
  data: One[];
  has_more: boolean;
}

const DEFAULT_LIMIT = 10;

/** A page of what is given oldest first, newest first. @throws Refusal for a cursor that is not there */
export function pageOf<One>(oldestFirst: One[], idOf: (one: One) => string, query: Query, matches = (_: One) => true) {
  const { limit = DEFAULT_LIMIT, starting_after: after, ending_before: before } = query;
  const all = [...oldestFirst].reverse();
  const cursor = after ?? before;
  const place = all.findIndex((one) => idOf(one) === cursor);
  if (cursor !== undefined && place < 0)
    throw new Refusal('cursor_invalid', { param: after === undefined ? 'ending_before' : 'starting_after' });
  const range = before === undefined ? all.slice(place + 1) : all.slice(0, place);
  const found = range.filter(matches);
  const data = before === undefined ? found.slice(0, Number(limit)) : found.slice(-Number(limit));
  return { data, has_more: found.length > data.length };
}

const recipientOf = (address: string) => address.toLowerCase().replaceAll(/^\+.*/g, readPhone);

/** What the filters of lists compare. */
const TEXTS: Record<string, (gift: FakeGift) => string | null | undefined> = {
  state: stateOf,
  delivery_method: ({ delivery }) => delivery.method,
  recipient: ({ delivery }) => recipientOf(addressOf(delivery) ?? ''),
  category: ({ category }) => category,
  external_id: ({ external_id }) => external_id,
  order_id: ({ order_id }) => order_id,
  status: (gift) =>
    gift.canceled_at !== null ? 'canceled' : stateOf(gift) === 'waiting' ? 'scheduled' : statusOf(gift),
};
const TIMES: Record<string, (gift: FakeGift) => string | null> = {
  created: ({ ordered_at }) => ordered_at,
  ordered: ({ ordered_at }) => ordered_at,
  delivered: ({ delivered_at }) => delivered_at,
  opened: ({ opened_at }) => opened_at,
  claimed: ({ claimed_at }) => claimed_at,
};

/** Whether the gift passes all filters. */
export function matchesGift(gift: FakeGift, query: Query): boolean {
  return Object.entries(query).every(([name, wanted]) => {
    const [, time = '', bound] = /^(\w+)_(after|before)$/.exec(name) ?? [];
    const at = TIMES[time]?.(gift);
    if (at !== undefined) return at !== null && (bound === 'after') === readTimeMs(at) > readTimeMs(wanted);
    const [, key] = /^metadata\[(.*)\]$/.exec(name) ?? [];
    if (key !== undefined) return gift.metadata?.[key] === wanted;
    const text = TEXTS[name];
    return text === undefined || text(gift) === (name === 'recipient' ? recipientOf(wanted) : wanted);
  });
}

/** Filters of an order by itself; the others ask for one gift that passes all of them. */
const OF_ORDERS = /^(status|created_(after|before)|external_id|metadata\[.*\])$/;

export function matchesOrder(order: FakeOrder, query: Query): boolean {
  const part = (isOfOrder: boolean) =>
    Object.fromEntries(Object.entries(query).filter(([name]) => OF_ORDERS.test(name) === isOfOrder));
  const { external_id, metadata, created_at: ordered_at } = order;
  const itself = { ...order.gifts[0], external_id, metadata, ordered_at } as FakeGift;
  const { status = statusOfOrder(order), ...ofOrder } = part(true);
  if (status !== statusOfOrder(order) || !matchesGift(itself, ofOrder)) return false;
  const ofGifts = part(false);
  return order.gifts.some((gift) => matchesGift(gift, ofGifts)) || Object.keys(ofGifts).length === 0;
}
