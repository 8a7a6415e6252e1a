import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../../../server/src/platform/base/errors.ts';
import type { NewDelivery, NewGift } from './calls.ts';
import { destination, type Effect, effectOf, faultOfGifts, initialState, isImpossible } from './rules.ts';

export interface ModelGift {
  gift_id: string;
  sent: NewGift;
  /** As the answer shows it. */
  delivery: NewDelivery & { link?: string };
  /** `none` for a link. */
  state: 'pending' | 'delivered' | 'failed' | 'none';
  isOpened: boolean;
  isClaimed: boolean;
  redirects: number;
  linkExpiresAtMs: number;
}

export interface ModelOrder {
  order_id: string;
  key: string;
  sent: NewGift[];
  /** Those created so far. */
  gifts: ModelGift[];
  placedAtMs: number;
  /** When the other gifts are created. */
  completesAtMs: number | undefined;
}

/** The answer that the model expects. */
export type Expected =
  | { status: 200 | 201; body: unknown; isReplay?: boolean }
  | { code: ErrorCode; param?: string }
  | 'no answer';

const PROCESSING_MS = 20_000;
const RESEND_LIMIT = 5;

interface ShownGift {
  gift_id: string;
  delivery: { link?: string };
}

interface ShownOrder {
  order_id: string;
  gifts: ShownGift[];
}

/** One environment of an organization by the specification, without code of the service. */
export class Model {
  readonly orders: ModelOrder[] = [];
  balanceCents = 0;
  hasBalance = false;
  ledgerEntries = 0;
  hasMember = true;
  readonly #tries = new Set<string>();
  readonly #isLive: boolean;
  readonly #linkTtlMs: number;

  constructor(isLive: boolean, linkTtlMs: number) {
    this.#isLive = isLive;
    this.#linkTtlMs = linkTtlMs;
  }

  /** Newest first. */
  get gifts(): ModelGift[] {
    return this.orders.toReversed().flatMap(({ gifts }) => gifts.toReversed());
  }

  fund(cents: number): void {
    this.balanceCents += cents;
    this.hasBalance = true;
    this.ledgerEntries += 1;
  }

  /** Returns the expected answer. For a placed order `place` reads the new ids from the answer. */
  order(key: string, gifts: NewGift[], nowMs: number): Expected | { place(shown: ShownOrder | undefined): Expected } {
    const fault = faultOfGifts(gifts);
    if (fault !== undefined) return { code: 'parameter_invalid', param: fault };
    const earlier = this.orders.find((order) => order.key === key);
    if (earlier !== undefined)
      return isDeepStrictEqual(earlier.sent, gifts)
        ? { status: 200, body: this.showOrder(earlier), isReplay: true }
        : { code: 'idempotency_key_reused', param: 'Idempotency-Key' };
    const refusal = this.#refusalOf(key, gifts);
    if (refusal !== undefined) return refusal;
    return {
      place: (shown) => {
        const order = this.#place(key, gifts, nowMs, shown);
        const isLost = gifts.some(({ delivery }) => this.#effectOf(delivery) === 'response-lost');
        return isLost ? 'no answer' : { status: 201, body: this.showOrder(order) };
      },
    };
  }

  #refusalOf(key: string, gifts: NewGift[]): Expected | undefined {
    for (const [index, { category, delivery }] of gifts.entries()) {
      if (category === 'nothing') return { code: 'parameter_invalid', param: `gifts[${index}].category` };
      if (this.#isLive && isImpossible(delivery))
        return { code: 'parameter_invalid', param: `gifts[${index}].delivery.email` };
    }
    for (const { delivery } of gifts) {
      const effect = this.#effectOf(delivery);
      if (effect === 'insufficient-balance') return { code: 'insufficient_balance' };
      if (effect === 'internal-error') return { code: 'internal_error' };
      if (effect === 'rate-limited' && !this.#tries.has(key)) {
        this.#tries.add(key);
        return { code: 'rate_limit_exceeded' };
      }
    }
    if (!this.hasMember) return { code: 'organization_not_configured' };
    return sumOf(gifts) > this.balanceCents ? { code: 'insufficient_balance' } : undefined;
  }

  #place(key: string, sent: NewGift[], placedAtMs: number, shown: ShownOrder | undefined): ModelOrder {
    const waiting = sent.findIndex(({ delivery }) => this.#effectOf(delivery) === 'processing');
    const order: ModelOrder = {
      order_id: shown?.order_id ?? '',
      key,
      sent,
      gifts: [],
      placedAtMs,
      completesAtMs: waiting === -1 ? undefined : placedAtMs + PROCESSING_MS,
    };
    this.#createGifts(order, waiting === -1 ? sent.length : waiting, shown);
    this.orders.push(order);
    this.balanceCents -= sumOf(sent);
    this.ledgerEntries += 1;
    return order;
  }

  #createGifts(order: ModelOrder, count: number, shown: ShownOrder | undefined): void {
    for (let index = order.gifts.length; index < count; index += 1) {
      const sent = order.sent[index] as NewGift;
      const { gift_id = '', delivery = {} } = shown?.gifts[index] ?? {};
      const link = sent.delivery.method === 'link' && delivery.link !== undefined ? { link: delivery.link } : {};
      order.gifts.push({
        gift_id,
        sent,
        delivery: { ...destination(sent.delivery), ...link },
        ...initialState(sent.delivery, this.#effectOf(sent.delivery)),
        redirects: 0,
        linkExpiresAtMs: order.placedAtMs + this.#linkTtlMs,
      });
    }
  }

  /** Reads the ids of an order from its replay after a lost answer. */
  learn(order: ModelOrder, shown: ShownOrder): void {
    order.order_id = shown.order_id;
    const count = order.gifts.length;
    order.gifts = [];
    this.#createGifts(order, count, shown);
  }

  /** Adds the gifts of a processing order when it is due. */
  complete(order: ModelOrder, shown: ShownOrder): void {
    order.completesAtMs = undefined;
    this.#createGifts(order, order.sent.length, shown);
  }

  retrieveGift(gift: ModelGift, nowMs: number, shown: ShownGift | undefined): Expected {
    const isExpired = gift.delivery.method === 'link' && gift.linkExpiresAtMs <= nowMs;
    const { link } = shown?.delivery ?? {};
    // An expired link must be replaced; any other link must stay.
    if (isExpired && link !== undefined && link !== gift.delivery.link) {
      gift.delivery.link = link;
      gift.linkExpiresAtMs = nowMs + this.#linkTtlMs;
    } else if (isExpired) return { status: 200, body: 'a gift with a new link' };
    return { status: 200, body: this.showGift(gift) };
  }

  redirect(gift: ModelGift | undefined, to: NewDelivery): Expected {
    if (to.method === 'link') return { code: 'parameter_invalid', param: 'method' };
    const fault = faultOfGifts([{ amount: 1000, category: 'coffee', delivery: to }]);
    if (fault !== undefined) return { code: 'parameter_invalid', param: to.method };
    if (gift === undefined) return { code: 'resource_missing' };
    const isUnderWay = gift.redirects > 0 && gift.state === 'pending' && !gift.isOpened;
    if (isUnderWay && isDeepStrictEqual(gift.delivery, destination(to)))
      return { status: 200, body: this.showGift(gift) };
    if (statusOf(gift) !== 'failed') return { code: 'gift_delivery_not_updatable' };
    if (gift.redirects >= RESEND_LIMIT) return { code: 'gift_resend_limit_reached' };
    const effect = this.#effectOf(to);
    if (effect === 'internal-error') return { code: 'internal_error' };
    const delivery = destination(to);
    if (isDeepStrictEqual(gift.delivery, delivery)) return { code: 'parameter_invalid', param: to.method };
    gift.redirects += 1;
    gift.delivery = delivery;
    Object.assign(gift, initialState(to, effect));
    return effect === 'response-lost' ? 'no answer' : { status: 200, body: this.showGift(gift) };
  }

  simulate(gift: ModelGift | undefined, act: 'deliver' | 'fail' | 'open' | 'claim' | 'spend'): Expected {
    if (this.#isLive) return { code: 'sandbox_endpoint_only' };
    if (gift === undefined) return { code: 'resource_missing' };
    const refusal = simulate(gift, act);
    return refusal === undefined ? { status: 200, body: this.showGift(gift) } : { code: refusal };
  }

  reset(): Expected {
    if (this.#isLive) return { code: 'sandbox_endpoint_only' };
    const body = {
      object: 'sandbox_reset',
      orders_deleted: this.orders.length,
      gifts_deleted: this.gifts.length,
      balances_deleted: this.hasBalance ? 1 : 0,
      ledger_entries_deleted: this.ledgerEntries,
    };
    this.orders.length = 0;
    this.balanceCents = 0;
    this.hasBalance = false;
    this.ledgerEntries = 0;
    this.#tries.clear();
    return { status: 200, body };
  }

  showOrder({ order_id, gifts, completesAtMs }: ModelOrder): unknown {
    const status = completesAtMs === undefined ? 'processed' : 'processing';
    return { order_id, status, gifts: gifts.map((gift) => this.showGift(gift)) };
  }

  showGift(gift: ModelGift): unknown {
    const { gift_id, sent, delivery } = gift;
    const { recipient_name, sender_name = 'Test Organization' } = sent.personalization ?? {};
    return {
      gift_id,
      amount: sent.amount,
      category: sent.category,
      delivery: { ...delivery, status: statusOf(gift) },
      personalization: { sender_name, ...(recipient_name === undefined ? {} : { recipient_name }) },
    };
  }

  #effectOf(delivery: NewDelivery): Effect | undefined {
    return this.#isLive ? undefined : effectOf(delivery);
  }
}

const sumOf = (gifts: NewGift[]) => gifts.reduce((sum, { amount }) => sum + amount, 0);

export function statusOf({ state, isOpened, isClaimed }: ModelGift): string {
  if (isClaimed) return 'claimed';
  if (isOpened) return 'opened';
  return state === 'failed' ? 'failed' : 'sent';
}

/** Changes the gift, or returns the error. */
function simulate(gift: ModelGift, act: 'deliver' | 'fail' | 'open' | 'claim' | 'spend'): ErrorCode | undefined {
  switch (act) {
    case 'deliver':
    case 'fail': {
      if (gift.delivery.method === 'link') return 'gift_delivery_not_simulatable';
      const isFailed = statusOf(gift) === 'failed';
      if (act === 'fail' && isFailed) return undefined;
      if (gift.isOpened || !(gift.state === 'pending' || isFailed)) return 'gift_already_delivered';
      gift.state = act === 'fail' ? 'failed' : 'delivered';
      return undefined;
    }
    case 'claim':
      if (gift.isClaimed) return 'gift_already_redeemed';
      gift.isClaimed = true;
      break;
    case 'spend':
      return gift.isClaimed ? undefined : 'gift_not_claimed';
    case 'open':
  }
  gift.isOpened = true;
  if (gift.state === 'pending') gift.state = 'delivered';
  return undefined;
}
