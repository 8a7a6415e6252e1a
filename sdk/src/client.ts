import type { Health } from './bodies.ts';
import { eventsOf } from './events.ts';
import { type Ledger, ledgerOf } from './ledger.ts';
import { methodsOf } from './methods.ts';
import type { BestowOptions } from './options.ts';
import { type Orders, ordersOf } from './orders.ts';
import { type ActOptions, type Answer, type CallOptions, Connection } from './send.ts';

/** Options of `request`. */
export interface RequestOptions extends ActOptions {
  /** Sent as JSON. */
  body?: unknown;
}

/**
 * The client of one API key; the key decides between live and sandbox. The client retries until `timeoutMs` is over,
 * if a retry is safe. Every method throws ApiError, ConnectionError or AbortError, and TypeError for a wrong argument,
 * before it sends anything. What the caller’s own `fetch` throws, and is no failure of the network, passes through.
 */
export class Bestow {
  readonly #connection: Connection;
  readonly #withOptions: (more: BestowOptions) => Bestow;
  /** Orders. Amounts are in cents. */
  readonly orders: Orders;
  /** Gifts. */
  readonly gifts: ReturnType<typeof methodsOf.gifts>;
  /** What the organization can spend. */
  readonly balance: ReturnType<typeof methodsOf.balance>;
  /** The people to whom the organization sends gifts. */
  readonly contacts: ReturnType<typeof methodsOf.contacts>;
  /** The catalog. */
  readonly categories: ReturnType<typeof methodsOf.categories>;
  /** What happened, in the order of commits and without holes. */
  readonly events: ReturnType<typeof eventsOf>;
  /** The addresses that events are pushed to. */
  readonly webhookEndpoints: ReturnType<typeof methodsOf.webhookEndpoints>;
  /** Proofs that no entry of the ledger was changed or removed. */
  readonly ledger: Ledger;
  /** Simulations. A live key gets `sandbox_endpoint_only`. */
  readonly sandbox: ReturnType<typeof methodsOf.sandbox>;

  /**
   * @param apiKey BESTOW_KEY of the environment by default
   * @throws TypeError if the key or `baseUrl` is missing or wrong, for an unknown option, and in a browser
   */
  constructor(apiKey?: string, options: BestowOptions = {}) {
    const connection = new Connection(apiKey, options);
    this.#withOptions = (more) => new Bestow(apiKey, { ...options, ...more });
    this.#connection = connection;
    this.orders = ordersOf(connection);
    this.gifts = methodsOf.gifts(connection);
    this.balance = methodsOf.balance(connection);
    this.contacts = methodsOf.contacts(connection);
    this.categories = methodsOf.categories(connection);
    this.events = eventsOf(connection);
    this.webhookEndpoints = methodsOf.webhookEndpoints(connection);
    this.ledger = ledgerOf(connection);
    this.sandbox = methodsOf.sandbox(connection);
  }

  /** A client of the same key with other options; those that are not given stay. @throws TypeError as the constructor */
  withOptions(options: BestowOptions): Bestow {
    return this.#withOptions(options);
  }

  /** Whether the service can answer. */
  health(options?: CallOptions): Promise<Answer<Health>> {
    return this.#connection.call('getHealth', {}, options);
  }

  /** The OpenAPI document of the service. */
  openapi(options?: CallOptions): Promise<Answer<object>> {
    return this.#connection.call('getOpenapi', {}, options);
  }

  /**
   * Calls an operation that this version does not know, such as `request('POST', '/v1/later', { body })`. A call other
   * than GET is sent again after no answer only if it has an `idempotencyKey`, which the operation must support.
   */
  async request<Body = unknown>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    const { body, idempotencyKey, ...call } = options;
    if (!path.startsWith('/')) throw new TypeError('The path must begin with a slash.');
    const isSentOnce = method !== 'GET' && idempotencyKey === undefined;
    return this.#connection.send<Body>({ method, path, isSentOnce }, call, { body, idempotencyKey });
  }
}
