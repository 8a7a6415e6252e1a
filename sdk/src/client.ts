import { AbortError, TimeoutError } from './errors.ts';
import { eventsOf } from './events.ts';
import { limit, sleep } from './limit.ts';
import {
  ENTRY_PARAMS,
  type EntryParams,
  GIFT_PARAMS,
  type GiftParams,
  type List,
  listOf,
  ORDER_PARAMS,
  type OrderParams,
  type PageParams,
} from './list.ts';
import { type BestowOptions, checkTimes } from './options.ts';
import type {
  Balance,
  BalanceEntry,
  CancelInput,
  Category,
  DeliveryOutcome,
  Gift,
  LedgerCheckpoint,
  LedgerProof,
  LedgerStatement,
  Order,
  OrderInput,
  RedirectInput,
  SandboxResetResult,
  ScheduleInput,
} from './resources.ts';
import { type Answer, type CallOptions, createSend, type Send } from './send.ts';

export interface CreateOrderOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters; a random UUID by default. All attempts carry it. */
  idempotencyKey?: string | undefined;
}
/** As for orders: all attempts carry the key, so the act is done once. */
export type GiftActOptions = CreateOrderOptions;
/** Options of `request`. */
export interface RequestOptions extends CreateOrderOptions {
  /** Sent as JSON. */
  body?: unknown;
}

const FIRST_LOOK_MS = 500;
const LONGEST_LOOK_MS = 5_000;

type ListCall = [params: PageParams | undefined, options: CallOptions | undefined];

/** @throws TypeError if there is no id, or it cannot be part of a path */
const id = (text: string) => {
  if (typeof text !== 'string' || /^\.{0,2}$/.test(text)) throw new TypeError('The id is missing.');
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('The id holds half of a surrogate pair.');
  return encodeURIComponent(text);
};
/**
 * The client of one API key; the key decides between live and sandbox. The client retries until `timeoutMs` is over,
 * if a retry is safe. Every method throws ApiError, ConnectionError or AbortError, and TypeError for a wrong argument,
 * before it sends anything.
 */
export class Bestow {
  readonly #send: Send;
  readonly #options: BestowOptions;
  /**
   * What happened, in the order of commits and without holes. `list` reads a page. `stream` reads for ever: it waits for
   * new events, survives restarts and lost connections, and ends with its signal. Store `sequence` after each event, and
   * begin there again (`after`).
   */
  readonly events: ReturnType<typeof eventsOf>;

  /** @throws TypeError if the key or `baseUrl` is missing or wrong, for an unknown option, and in a browser */
  constructor(apiKey: string | undefined, options: BestowOptions) {
    this.#send = createSend(apiKey, options);
    this.#options = options;
    this.events = eventsOf(this.#send, options.pause ?? sleep);
  }

  /**
   * Calls an operation that this version does not know, such as `request('POST', '/v1/later', { body })`. A call other
   * than GET is sent again after no answer only if it has an `idempotencyKey`, which the operation must support.
   */
  async request<Body = unknown>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    const { body, idempotencyKey, ...call } = options;
    if (!path.startsWith('/')) throw new TypeError('The path must begin with a slash.');
    const isSentOnce = method !== 'GET' && idempotencyKey === undefined;
    return this.#send<Body>(undefined, method, path, call, { body, idempotencyKey, isSentOnce });
  }
  #actOnce(giftId: string, act: string, more: GiftActOptions = {}, body?: ScheduleInput) {
    const { idempotencyKey = crypto.randomUUID(), ...options } = more;
    return this.#send<Gift>('gift_id', 'POST', `/v1/gifts/${id(giftId)}/${act}`, options, { body, idempotencyKey });
  }
  #list<Item>(path: string, known: readonly string[], idOf: (item: Item) => string, ...call: ListCall): List<Item> {
    return listOf({ send: this.#send, path, known, idOf }, ...call);
  }
  /** Orders. Amounts are in cents. */
  readonly orders = {
    /**
     * Buys 1 to 10 gifts in one debit. All attempts carry one `Idempotency-Key`, so the order is placed once. After a
     * crash, or an error with `outcomeUnknown`, call it again with the same key and body to get the placed order.
     */
    create: (body: OrderInput, options: CreateOrderOptions = {}): Promise<Answer<Order>> => {
      const { idempotencyKey = crypto.randomUUID(), ...call } = options;
      return this.#send<Order>('order_id', 'POST', '/v1/orders', call, { body, idempotencyKey });
    },
    /** @throws InvalidRequestError `resource_missing` */
    retrieve: async (orderId: string, options?: CallOptions) =>
      this.#send<Order>('order_id', 'GET', `/v1/orders/${id(orderId)}`, options),
    /**
     * Reads an order until it is no longer `processing`. `timeoutMs` limits the whole wait.
     * @throws TimeoutError if it is still `processing` then, InvalidRequestError `resource_missing`
     */
    waitUntilProcessed: async (orderId: string, options: CallOptions = {}): Promise<Answer<Order>> => {
      const { timeoutMs = this.#options.timeoutMs ?? 60_000, signal } = options;
      checkTimes({ timeoutMs });
      const untilMs = performance.now() + timeoutMs;
      const { signal: stop, release } = limit(timeoutMs, signal);
      try {
        for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_LOOK_MS)) {
          const leftMs = Math.max(untilMs - performance.now(), 1);
          const order = await this.orders.retrieve(orderId, { ...options, timeoutMs: leftMs });
          if (order.status !== 'processing') return order;
          const { attempts, status, headers } = order.lastResponse;
          const facts = { attempts, status, headers, idempotencyKey: undefined, outcomeUnknown: false };
          if (performance.now() + pauseMs >= untilMs)
            throw new TimeoutError(`Order ${orderId} is still processing after ${timeoutMs} ms.`, facts);
          await (this.#options.pause ?? sleep)(pauseMs, stop);
          if (signal?.aborted) throw new AbortError('The wait was aborted.', facts, signal.reason);
        }
      } finally {
        release();
      }
    },
    /**
     * Takes every unclaimed gift of the order back and returns its amount to the balance. Canceling again changes nothing.
     * @throws InvalidRequestError `gift_already_redeemed` if every gift is claimed
     */
    cancel: async (orderId: string, body: CancelInput = {}, options?: CallOptions) =>
      this.#send<Order>('order_id', 'POST', `/v1/orders/${id(orderId)}/cancel`, options, { body }),
    /** Newest first; with `ending_before` the orders placed since, oldest first. */
    list: (params?: OrderParams, options?: CallOptions): List<Order> =>
      this.#list<Order>('/v1/orders', ORDER_PARAMS, ({ order_id }) => order_id, params, options),
  };
  /** Gifts. */
  readonly gifts = {
    /** Renews the link of a link gift if the link has expired. @throws InvalidRequestError `resource_missing` */
    retrieve: async (giftId: string, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'GET', `/v1/gifts/${id(giftId)}`, options),
    /** Newest purchase first. Expired links are not renewed. */
    list: (params?: GiftParams, options?: CallOptions): List<Gift> =>
      this.#list<Gift>('/v1/gifts', GIFT_PARAMS, ({ gift_id }) => gift_id, params, options),
    /**
     * Sends a gift whose delivery failed to another address. After a ConnectionError, retrieve the gift to see its
     * address. @throws InvalidRequestError `gift_delivery_not_updatable`, `gift_resend_limit_reached`
     */
    redirect: async (giftId: string, body: RedirectInput, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'PUT', `/v1/gifts/${id(giftId)}/delivery`, options, { body, isSentOnce: true }),
    /**
     * Ends all links of an unclaimed gift. The answer has the new link of a link gift; an email or phone gift is sent
     * again. All attempts carry one `Idempotency-Key`, so the link is replaced once. It counts as a redirect.
     * @throws InvalidRequestError `gift_already_redeemed`, `gift_on_hold`, `gift_resend_limit_reached`
     */
    replaceLink: async (giftId: string, options?: GiftActOptions) => this.#actOnce(giftId, 'link', options),
    /**
     * Sends an unclaimed email or phone gift once more to its address; earlier links stay valid. All attempts carry one
     * `Idempotency-Key`, so it is sent again once. It counts as a redirect.
     * @throws InvalidRequestError `gift_already_redeemed`, `gift_on_hold`, `gift_resend_limit_reached`
     */
    resend: async (giftId: string, options?: GiftActOptions) => this.#actOnce(giftId, 'resend', options),
    /** Changes when a waiting gift is sent; a time that has come sends it now. @throws InvalidRequestError `gift_not_scheduled` */
    schedule: async (giftId: string, body: ScheduleInput, options?: GiftActOptions) =>
      this.#actOnce(giftId, 'schedule', options, body),
    /**
     * Takes an unclaimed gift back and returns its amount to the balance. Canceling again changes nothing.
     * @throws InvalidRequestError `gift_already_redeemed`
     */
    cancel: async (giftId: string, body: CancelInput = {}, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'POST', `/v1/gifts/${id(giftId)}/cancel`, options, { body }),
  };
  /** What the organization can spend. */
  readonly balance = {
    retrieve: (options?: CallOptions) => this.#send<Balance>('balance', 'GET', '/v1/balance', options),
    /** Newest first. */
    entries: (params?: EntryParams, options?: CallOptions): List<BalanceEntry> =>
      this.#list<BalanceEntry>('/v1/balance/entries', ENTRY_PARAMS, ({ entry_id }) => entry_id, params, options),
  };
  /** Proofs that no entry of the ledger was changed or removed. */
  readonly ledger = {
    /** The signed size and root of the ledger. Keep its `note`. */
    checkpoint: (options?: CallOptions) =>
      this.#send<LedgerCheckpoint>('ledger_checkpoint', 'GET', '/v1/ledger/checkpoint', options),
    /** Proves that an entry is in the ledger; see `verifyInclusion`. @throws InvalidRequestError `resource_missing` */
    proveEntry: async (entryId: string, options?: CallOptions) =>
      this.#send<LedgerProof>('ledger_proof', 'GET', `/v1/ledger/proof?entry_id=${id(entryId)}`, options),
    /** Proves that the ledger continues the one of an earlier checkpoint; see `verifyConsistency`. */
    proveConsistency: (fromSize: number, options?: CallOptions) =>
      this.#send<LedgerProof>('ledger_proof', 'GET', `/v1/ledger/proof?from_size=${fromSize}`, options),
    /** All entries of a month, such as `2026-11`, signed; see `verifyStatement`. */
    statement: async (month: string, options?: CallOptions) =>
      this.#send<LedgerStatement>('ledger_statement', 'GET', `/v1/balance/statements/${id(month)}`, options),
  };
  /** The catalog. */
  readonly categories = {
    /** The whole catalog, on one page. */
    list: (options?: CallOptions): List<Category> =>
      this.#list<Category>('/v1/categories', ['limit'], (category) => category.id, {}, options),
  };
  /** Simulations. A live key gets `sandbox_endpoint_only`. */
  readonly sandbox = {
    /** Settles a pending delivery; the default outcome is `delivered`. @throws `gift_already_delivered` … */
    deliver: async (giftId: string, body: DeliveryOutcome = {}, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'POST', `/v1/sandbox/gifts/${id(giftId)}/deliver`, options, {
        body,
        isSentOnce: true,
      }),
    /** Marks the gift as opened, once. */
    open: async (giftId: string, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'POST', `/v1/sandbox/gifts/${id(giftId)}/open`, options),
    /** Redeems the gift onto a card. @throws InvalidRequestError `gift_already_redeemed` */
    claim: async (giftId: string, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'POST', `/v1/sandbox/gifts/${id(giftId)}/claim`, options, { isSentOnce: true }),
    /** Spends what is left on the gift's card. @throws InvalidRequestError `gift_not_claimed` */
    spend: async (giftId: string, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'POST', `/v1/sandbox/gifts/${id(giftId)}/spend`, options),
    /**
     * Deletes every order, gift and cent of the sandbox, for good; keys stay. A large sandbox takes up to half a
     * minute, so one attempt may take all of `timeoutMs` (60,000 by default).
     */
    reset: (options?: CallOptions) =>
      this.#send<SandboxResetResult>('sandbox_reset', 'POST', '/v1/sandbox/reset', options, {
        isSentOnce: true,
        tryTimeoutMs: Number.POSITIVE_INFINITY,
      }),
  };
}
