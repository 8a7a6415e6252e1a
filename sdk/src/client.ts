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
/** `idempotencyKey`: 1 to 255 printable ASCII characters; a random UUID by default. */
export type CreateOrderOptions = CallOptions & { idempotencyKey?: string | undefined };

/** @throws TypeError if the id holds half of a surrogate pair, which a URL cannot carry */
const id = (text: string) => {
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

  /** @throws TypeError if `baseUrl` is not an http:// or https:// address, or the key cannot be sent */
  constructor(apiKey: string, options: BestowOptions) {
    this.#send = createSend(apiKey, options);
  }
  /** Orders. Amounts are in cents. */
  readonly orders = {
    /**
     * Buys 1 to 10 gifts in one debit. All attempts carry one `Idempotency-Key`, so the order is placed once. After a
     * crash, or an error with `outcomeUnknown`, call it again with the same key and body to get the placed order.
     */
    create: (body: NewOrder, { idempotencyKey = crypto.randomUUID(), ...options }: CreateOrderOptions = {}) =>
      this.#send<Order>('order_id', 'POST', '/v1/orders', options, { body, idempotencyKey }),
    /** @throws InvalidRequestError `resource_missing` */
    retrieve: async (orderId: string, options?: CallOptions) =>
      this.#send<Order>('order_id', 'GET', `/v1/orders/${id(orderId)}`, options),
    /** Newest first; with `ending_before` the orders placed since, oldest first. */
    list: (params?: PageParams, options?: CallOptions) =>
      listOf<Order>(this.#send, '/v1/orders', ({ order_id }) => order_id, params, options),
  };
  /** Gifts. */
  readonly gifts = {
    /** Renews the link of a link gift if the link has expired. @throws InvalidRequestError `resource_missing` */
    retrieve: async (giftId: string, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'GET', `/v1/gifts/${id(giftId)}`, options),
    /** Newest purchase first. Expired links are not renewed. */
    list: (params?: PageParams, options?: CallOptions) =>
      listOf<Gift>(this.#send, '/v1/gifts', ({ gift_id }) => gift_id, params, options),
    /**
     * Sends a gift whose delivery failed to another address. After a ConnectionError, retrieve the gift to see its
     * address. @throws InvalidRequestError `gift_delivery_not_updatable`, `gift_resend_limit_reached`
     */
    redirect: async (giftId: string, body: Redirect, options?: CallOptions) =>
      this.#send<Gift>('gift_id', 'PUT', `/v1/gifts/${id(giftId)}/delivery`, options, { body, isSentOnce: true }),
  };
  /** The catalog. */
  readonly categories = {
    /** The whole catalog, on one page. */
    list: (options?: CallOptions) => listOf<Category>(this.#send, '/v1/categories', (one) => one.id, {}, options),
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
