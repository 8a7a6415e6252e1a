import { addressOf, cancel, type FakeGift, presentGift, replaceLink, send, stateOf } from './gift.ts';
import { type FakeOrder, type Memory, statusOfOrder } from './memory.ts';
import { invalid, Refusal } from './refusal.ts';
import { RULES } from './rules.ts';
import { readTimeMs } from './time.ts';

export interface GiftInput {
  amount: number;
  category: string;
  delivery: FakeGift['delivery'];
  personalization?: { sender_name?: string; recipient_name?: string };
  language?: string;
  external_id?: string;
  metadata?: Record<string, string>;
  send_at?: string;
}
export interface OrderInput {
  gifts: GiftInput[];
  external_id?: string;
  metadata?: Record<string, string>;
}

/** Of the key that places every order. */
const KEY_ID = 'key_00000000000000000000000000';
const MAIL_DOMAIN = '@sandbox.gift.test';
const PROCESSING_MS = 20_000;
const LONGEST_WAIT_MS = 366 * 86_400_000;
const LATEST_MS = 300_000;
/** Only the first try of a key meets these. */
const PASSING = ['rate_limit_exceeded', 'resource_locked', 'idempotency_in_progress'];
const FAILURES = [...PASSING, 'insufficient_balance', 'internal_error'];

/** What the service does with gifts to this address, such as `claimed`. */
export function effectOf(delivery: FakeGift['delivery']): string | undefined {
  const address = (addressOf(delivery) ?? '').toLowerCase();
  return RULES.steering[address.endsWith(MAIL_DOMAIN) ? address.replace(/[+@].*/, '') : address];
}

/** Without spaces, and the `(0)` that is dialed only at home. */
export const readPhone = (text: string) => text.replace('(0)', '').replaceAll(/[ ()-]/g, '');

/** The address as gifts keep it. */
export const readDelivery = ({ phone, ...given }: FakeGift['delivery']): FakeGift['delivery'] =>
  phone === undefined ? given : { ...given, phone: readPhone(phone) };

/** @throws Refusal */
export function readSendAt(memory: Memory, given: string, path: string): string {
  const timeMs = readTimeMs(given);
  const inMs = timeMs - memory.nowMs();
  if (inMs < -LATEST_MS) throw invalid(path, 'must be in the future');
  if (inMs > LONGEST_WAIT_MS) throw invalid(path, 'must be at most 366 days ahead');
  return new Date(timeMs).toISOString();
}

function giftOf(memory: Memory, order_id: string, input: GiftInput, senderName: string, path: string): FakeGift {
  const { amount, category, language, external_id, metadata, personalization, send_at } = input;
  if (!RULES.categories.some(({ id }) => id === category))
    throw invalid(`${path}category`, 'is not a category of the catalog');
  if (send_at !== undefined && input.delivery.method === 'link')
    throw invalid(`${path}send_at`, 'is only for gifts that the service sends');
  return {
    gift_id: memory.nextId('gift'),
    order_id,
    amount,
    category,
    delivery: readDelivery(input.delivery),
    personalization: { sender_name: senderName, ...personalization },
    language,
    external_id,
    metadata,
    scheduled_for: send_at === undefined ? null : readSendAt(memory, send_at, `${path}send_at`),
    ordered_at: memory.now(),
    sent_at: null,
    delivered_at: null,
    failed_at: null,
    opened_at: null,
    claimed_at: null,
    spent_at: null,
    canceled_at: null,
    cancel_reason: null,
    resends: 0,
    isPending: false,
    linkEndsMs: Number.POSITIVE_INFINITY,
  };
}

/** @throws Refusal as an address asks for it, or if the balance is too low */
function refuse(memory: Memory, key: string, { gifts, later, amount }: FakeOrder): void {
  const failures = [...gifts, ...later]
    .map(({ delivery }) => effectOf(delivery) ?? '')
    .filter((one) => FAILURES.includes(one));
  const [first = ''] = failures;
  if (PASSING.includes(first) && !memory.triedKeys.has(key)) {
    memory.triedKeys.add(key);
    throw new Refusal(first);
  }
  const last = failures.find((one) => !PASSING.includes(one));
  if (last !== undefined) throw new Refusal(last);
  if (amount > memory.balance) throw new Refusal('insufficient_balance');
}

/** Places an order. @throws Refusal; nothing happened then */
export function placeOrder(memory: Memory, key: string, body: OrderInput, senderName: string): FakeOrder {
  const { external_id, metadata } = body;
  const order_id = memory.nextId('ord');
  const all = body.gifts.map((input, index) => giftOf(memory, order_id, input, senderName, `gifts[${index}].`));
  const taken = [...memory.orders.values()].find((one) => external_id !== undefined && one.external_id === external_id);
  if (taken !== undefined) throw new Refusal('external_id_taken', { order_id: taken.order_id });
  const first = all.findIndex(({ delivery }) => effectOf(delivery) === 'processing');
  const gifts = first < 0 ? all : all.slice(0, first);
  const order: FakeOrder = {
    order_id,
    external_id,
    metadata,
    created_at: memory.now(),
    completesAtMs: memory.nowMs() + PROCESSING_MS,
    amount: all.reduce((sum, gift) => sum + gift.amount, 0),
    gifts,
    later: all.slice(gifts.length),
  };
  refuse(memory, key, order);
  memory.orders.set(order_id, order);
  memory.post('order', -order.amount, { order_id });
  memory.emit('order.created', { order_id, status: statusOfOrder(order) });
  for (const gift of gifts) create(memory, gift);
  return order;
}

function create(memory: Memory, gift: FakeGift): void {
  memory.gifts.set(gift.gift_id, gift);
  replaceLink(memory, gift);
  if (gift.scheduled_for === null) send(memory, gift, effectOf(gift.delivery));
}

/** Creates the gifts of an order that are not there yet, and sends them unless they are to be canceled. */
function complete(memory: Memory, order: FakeOrder, areSent = true): void {
  const { order_id, gifts } = order;
  const later = order.later.splice(0);
  if (later.length === 0) return;
  gifts.push(...later);
  memory.emit('order.processed', { order_id, status: 'processed' });
  for (const gift of later)
    if (areSent) create(memory, gift);
    else memory.gifts.set(gift.gift_id, gift);
}

/** Does what has come due. */
export function catchUp(memory: Memory): void {
  const nowMs = memory.nowMs();
  for (const order of memory.orders.values()) if (order.completesAtMs <= nowMs) complete(memory, order);
  for (const gift of memory.gifts.values()) {
    const isDue = stateOf(gift) === 'waiting' && readTimeMs(gift.scheduled_for ?? '') <= nowMs;
    if (isDue) send(memory, gift, effectOf(gift.delivery));
  }
}

/** The order as answers show it. */
export function presentOrder(order: FakeOrder, hasHistory: boolean): Record<string, unknown> {
  const { order_id, external_id, metadata, created_at, amount, gifts } = order;
  const count: Record<string, number> = {};
  for (const gift of gifts) count[stateOf(gift)] = (count[stateOf(gift)] ?? 0) + 1;
  const ordered_by = { kind: 'key', id: KEY_ID, name: 'FakeBestow' };
  return {
    order_id,
    status: statusOfOrder(order),
    gifts: gifts.map((gift) => presentGift(gift, hasHistory)),
    ...(external_id !== undefined && { external_id }),
    ...(metadata !== undefined && { metadata }),
    ...(hasHistory && { history: { created_at, amount, currency: 'USD', ordered_by, gifts_by_state: count } }),
  };
}

/** Cancels the gifts that are not claimed. @throws Refusal if all are */
export function cancelOrder(memory: Memory, order: FakeOrder, reason: string | null): string {
  complete(memory, order, false);
  const { order_id } = order;
  const open = order.gifts.filter(({ claimed_at, canceled_at }) => claimed_at === null && canceled_at === null);
  if (order.gifts.every(({ claimed_at }) => claimed_at !== null)) throw new Refusal('gift_already_redeemed');
  if (open.length === 0) return order_id;
  const refunded = open.reduce((sum, gift) => sum + gift.amount, 0);
  memory.emit('order.canceled', { order_id, cancellation: { canceled_at: memory.now(), reason, refunded } });
  for (const gift of open) cancel(memory, gift, reason);
  return order_id;
}
