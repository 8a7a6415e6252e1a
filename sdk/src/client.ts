import { listOf, type PageParams } from './list.ts';
import type { components } from './schema.d.ts';
import { type BestowOptions, type CallOptions, createSend, type Send } from './send.ts';

type Schemas = components['schemas'];
export type Category = Schemas['Category'];
export type Gift = Schemas['Gift'];
export type NewOrder = Schemas['NewOrder'];
export type Order = Schemas['Order'];
export type Redirect = Schemas['Redirect'];
export type SandboxResetResult = Schemas['SandboxResetResult'];
export type DeliveryOutcome = Partial<Schemas['NewDeliveryOutcome']>;
/** The key stands for the order: 1 to 255 printable ASCII characters, a random UUID where it is left out. */
export type CreateOrderOptions = CallOptions & { idempotencyKey?: string | undefined };

/** @throws TypeError where it holds half a character, which no address can */
const id = (text: string) => {
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('An id is made of whole characters.');
  return encodeURIComponent(text);
};

/**
 * The client of one API key; the key decides between live and sandbox. What may be sent again is sent again until
 * `timeoutMs` is over (specification, part 7). Every method throws ApiError, ConnectionError or AbortError, and TypeError
 * where an argument is wrong, before anything is sent.
 */
export class Bestow {
  readonly #send: Send;

  /** @throws TypeError where `baseUrl` is no http:// or https:// address, or the key cannot be sent */
  constructor(apiKey: string, options: BestowOptions) {
    this.#send = createSend(apiKey, options);
  }
  /** Specification, part 4, «Orders». Amounts are cents. */
  readonly orders = {
    /**
     * Buys 1 to 10 gifts in one debit, once, however often it is sent: all tries carry one `Idempotency-Key`. After a
     * crash, or an error with `outcomeUnknown`, call it again with that key and body: it is the order that was placed.
     */
    create: (body: NewOrder, { idempotencyKey = crypto.randomUUID(), ...options }: CreateOrderOptions = {}) =>
      this.#send<Order>('order_id', 'POST', '/v1/orders', options, { body, idempotencyKey }),
    /** @throws InvalidRequestError `resource_missing` */
    retrieve: async (orderId: string, options?: CallOptions) =>
      this.#send<Order>('order_id', 'GET', `/v1/orders/${id(orderId)}`, options),
    /** Most recent first; with `ending_before` those placed since, as they were placed. */
    list: (params?: PageParams, options?: CallOptions) =>
      listOf<Order>(this.#send, '/v1/orders', ({ order_id }) => order_id, params, options),
  };
  /** Specification, part 4, «Gifts». */
  readonly gifts = {
    /** The link of a link gift is renewed where it has expired. @throws InvalidRequestError `resource_missing` */
    retrieve: async (giftId: string, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'GET', `/v1/gifts/${id(giftId)}`, options),
    /** Most recent purchase first; links are shown as they are. */
    list: (params?: PageParams, options?: CallOptions) =>
      listOf<Gift>(this.#send, '/v1/gifts', ({ gift_id }) => gift_id, params, options),
    /**
     * Sends a gift whose delivery failed to another address. After a ConnectionError retrieve the gift to see whether it
     * was. @throws InvalidRequestError `gift_delivery_not_updatable`, `gift_resend_limit_reached`
     */
    redirect: async (giftId: string, body: Redirect, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'PUT', `/v1/gifts/${id(giftId)}/delivery`, options, { body, isSentOnce: true }),
  };
  /** Specification, part 4, «Catalog». */
  readonly categories = {
    /** The whole catalog, which is one page. */
    list: (options?: CallOptions) => listOf<Category>(this.#send, '/v1/categories', (one) => one.id, {}, options),
  };
  /** Specification, part 4, «Sandbox»; a live key is refused with `sandbox_endpoint_only`. */
  readonly sandbox = {
    /** Settles a pending delivery, as delivered unless said otherwise. @throws `gift_already_delivered` … */
    deliver: async (giftId: string, body: DeliveryOutcome = {}, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'POST', `/v1/sandbox/gifts/${id(giftId)}/deliver`, options, {
        body,
        isSentOnce: true,
      }),
    /** Stamps the gift as opened, once. */
    open: async (giftId: string, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'POST', `/v1/sandbox/gifts/${id(giftId)}/open`, options),
    /** Redeems the gift onto a card. @throws InvalidRequestError `gift_already_redeemed` */
    claim: async (giftId: string, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'POST', `/v1/sandbox/gifts/${id(giftId)}/claim`, options, { isSentOnce: true }),
    /** Spends what is left on the gift's card. @throws InvalidRequestError `gift_not_claimed` */
    spend: async (giftId: string, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'POST', `/v1/sandbox/gifts/${id(giftId)}/spend`, options),
    /**
     * Deletes every order, gift and cent of the sandbox; keys stay. It cannot be undone. A large sandbox takes up to half a
     * minute, so a try has all the time of the call: 60,000 ms unless `timeoutMs` says otherwise.
     */
    reset: (options?: CallOptions) =>
      this.#send<SandboxResetResult>('sandbox_reset', 'POST', '/v1/sandbox/reset', options, {
        isSentOnce: true,
        tryTimeoutMs: Number.POSITIVE_INFINITY,
      }),
  };
}
