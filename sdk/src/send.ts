import { Attempts, type LastResponse, type Service } from './attempts.ts';
import { limit } from './limit.ts';
import { OPERATIONS, type Operations } from './operations.ts';
import { type BestowOptions, checkOptions, checkTimes, isIdempotencyKey, keyOf, refuseUnknown } from './options.ts';
import type { WebSignal } from './platform.ts';
import type { GiftOrOrder, GiftPart, PartsOfGift, PartsOfOrder } from './resources.ts';
import { keep, type Store, sendKept } from './store.ts';

/** Options of every method. */
export interface CallOptions {
  /** Ends the call. */
  signal?: WebSignal | undefined;
  /** Limits the call with all its attempts and pauses. */
  timeoutMs?: number | undefined;
  /** How often it is sent again at most. */
  maxRetries?: number | undefined;
  /** More headers. Those that the client sets itself are refused. */
  headers?: Record<string, string> | undefined;
}
/** Options of the acts that an `Idempotency-Key` protects: all attempts carry it, so the act is done once. */
export interface ActOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters; a random UUID by default. */
  idempotencyKey?: string | undefined;
}
/** The parts that a call asks for. TypeScript knows them by their names only if the call, or `as const`, has them. */
export type GiftParts = readonly GiftPart[] | readonly [];
/** Asks for parts: `{ expand: ['history'] }`. */
export interface Expand<Parts extends GiftParts = GiftParts> {
  expand?: Parts | undefined;
}
/** A gift or order with these parts. */
export type With<Body, Part extends GiftPart> = Body extends { gifts: (infer One)[] }
  ? Omit<Body, 'gifts'> & Pick<PartsOfOrder, Extract<Part, keyof PartsOfOrder>> & { gifts: With<One, Part>[] }
  : Body & Pick<PartsOfGift, Part>;
/** A gift or order with the parts that were asked for. */
export type Expanded<Body, Parts extends GiftParts> = Parts extends readonly []
  ? Body
  : number extends Parts['length']
    ? GiftOrOrder<Body>
    : With<Body, Parts[number]>;
/** An answer; `lastResponse` is not enumerable, so it is not in its JSON. */
export type Answer<Body> = Body & { readonly lastResponse: LastResponse };
export type OperationId = keyof typeof OPERATIONS;
type IdsOf<Path extends string> = Path extends `${string}{${string}}${infer Rest}` ? [string, ...IdsOf<Rest>] : [];
/** What a call of an operation sends: the ids of its path, its parameters, and its body. */
export interface Sent<Id extends OperationId> {
  ids?: IdsOf<(typeof OPERATIONS)[Id]['path']>;
  query?: object | undefined;
  body?: Operations[Id]['body'];
  /** The body of a kept order, which is JSON. */
  kept?: string;
  /** Another limit of one attempt. */
  tryTimeoutMs?: number;
}
/** How an operation is sent, as in `OPERATIONS`. */
type Row = { method: string; path: string; mark?: string; query?: string; takesKey?: true; isSentOnce?: boolean };
export const VERSION = '1.4.2';
const CALL_OPTIONS = 'signal timeoutMs maxRetries headers';
const isPlain = (value: unknown) => Object.prototype.toString.call(value) === '[object Object]';

/** @throws TypeError if there is no id, or it cannot be part of a path */
function checkId(name: string, text: unknown): string {
  if (typeof text !== 'string' || /^\.{0,2}$/.test(text)) throw new TypeError(`${name} is missing or no text.`);
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('The id holds half of a surrogate pair.');
  return encodeURIComponent(text);
}

/** @throws TypeError for what is no text, number, time, or list of these: as a text it would filter nothing, or all */
function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => textOf(name, one)).join(',');
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (/string|number|boolean|bigint/.test(typeof value)) return `${value}`;
  throw new TypeError(`${name} must be a text, a number or a time.`);
}

/** @throws TypeError for an unknown parameter, and as `textOf` */
function queryOf(query: object, known: string): string {
  refuseUnknown('This call', 'parameter', query, known);
  const pairs = Object.entries(query).flatMap(([name, value]): string[][] => {
    // No parts: the service refuses an empty text.
    if (value === undefined || (name === 'expand' && Array.isArray(value) && value.length === 0)) return [];
    if (!isPlain(value)) return [[name, textOf(name, value)]];
    return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, textOf(`${name}.${key}`, one)]);
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** `JSON.stringify` would leave out or empty what is no JSON. @throws TypeError that names the field */
function checkValue(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const isText = value === null ? this[name] === null : /string|boolean|undefined/.test(typeof value);
  if (isText || isPlain(value) || Array.isArray(value) || Number.isFinite(value)) return value;
  throw new TypeError(`${name} is not JSON.`);
}

/** Workers of an earlier date refuse the member; they cache nothing by themselves. */
function withoutCache(base: string): RequestInit {
  try {
    if (typeof Request === 'function') new Request(base, { cache: 'no-store' });
    return { cache: 'no-store' };
  } catch {
    return {};
  }
}

/** Sends the calls of one client. */
export class Connection {
  readonly options: BestowOptions;
  readonly #key: string;
  readonly #service: Service;
  readonly #init: RequestInit;

  /** @throws TypeError if the key cannot be sent, or an option is wrong or unknown */
  constructor(apiKey: string | undefined, options: BestowOptions) {
    this.#key = keyOf(apiKey);
    this.options = options;
    this.#service = { base: checkOptions(options), options };
    this.#init = withoutCache(this.#service.base);
  }

  /** As `send`, an operation. @throws TypeError before sending, also for a wrong id or parameter */
  async call<Id extends OperationId>(
    id: Id,
    { ids, query = {}, ...sent }: Sent<Id>,
    given?: ActOptions,
  ): Promise<Answer<Operations[Id]['answer']>> {
    const row: Row = OPERATIONS[id];
    const left = [...(ids ?? [])];
    const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name) => checkId(name, left.shift()));
    const store = id === 'createOrder' ? this.options.store : undefined;
    return await this.send({ ...row, path: path + queryOf(query, row.query ?? '') }, given, { ...sent, store });
  }

  /** As `call`, with the parts that the caller asks for. */
  expanded<Id extends OperationId, Parts extends GiftParts, Body extends Operations[Id]['answer']>(
    id: Id,
    sent: Sent<Id>,
    { expand, ...given }: ActOptions & Expand<Parts> = {},
  ): Promise<Answer<Expanded<Body, Parts>>> {
    return this.call(id, { ...sent, query: { expand } }, given) as Promise<Answer<Expanded<Body, Parts>>>;
  }

  /** Sends and retries until there is a final answer. @throws ApiError, ConnectionError, AbortError; TypeError before sending */
  async send<Body>(
    { method, path, mark, takesKey, isSentOnce = false }: Row,
    given: ActOptions = {},
    sent: { body?: unknown; kept?: string; store?: Store | undefined; tryTimeoutMs?: number } & ActOptions = {},
  ): Promise<Answer<Body>> {
    refuseUnknown('This call', 'option', given, takesKey ? `${CALL_OPTIONS} idempotencyKey` : CALL_OPTIONS);
    const { signal, timeoutMs = this.options.timeoutMs ?? 60_000, maxRetries = this.options.maxRetries } = given;
    checkTimes({ timeoutMs }, maxRetries);
    const { idempotencyKey = sent.idempotencyKey ?? (takesKey && crypto.randomUUID()) } = given;
    if (idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey))
      throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters, without blanks at its ends.');
    const { kept, store, tryTimeoutMs = this.options.tryTimeoutMs ?? 15_000 } = sent;
    // Built once: if the caller changes the body later, a retry must still be the same order.
    const body = kept ?? JSON.stringify(sent.body, checkValue);
    const headers = this.#headers(given.headers, body, idempotencyKey);
    const init = { ...this.#init, method, headers, redirect: 'manual', body: body ?? null } as const;
    const { signal: stop, release } = limit(timeoutMs, signal);
    const times = { timeoutMs, tryTimeoutMs, maxRetries };
    const plan = { method, path, mark, init, idempotencyKey, isSentOnce, ...times, signal, stop };
    const attempts = () => new Attempts(this.#service, plan).run() as Promise<Answer<Body>>;
    try {
      if (!store || idempotencyKey === undefined || body === undefined || signal?.aborted) return await attempts();
      if (kept === undefined) await keep(store, idempotencyKey, body);
      return await sendKept(attempts, () => this.#forget(store, idempotencyKey), kept !== undefined);
    } finally {
      release();
    }
  }

  /** @throws TypeError for a header that the client sets itself: a key that is dropped in silence would buy twice */
  #headers(more: Record<string, string> = {}, body: string | undefined, key: string | undefined): Headers {
    const headers = new Headers(this.options.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    headers.set('User-Agent', `bestow-sdk/${VERSION}`);
    const type = body && 'application/json';
    const own = { Authorization: `Bearer ${this.#key}`, 'Content-Type': type, 'Idempotency-Key': key };
    for (const [name, value] of Object.entries(own)) {
      if (headers.has(name)) throw new TypeError(`The client sets the header ${name} itself.`);
      if (value !== undefined) headers.set(name, value);
    }
    return headers;
  }

  /** The answer counts more than the store: an order that stays kept is placed only once, too. */
  async #forget(store: Store, idempotencyKey: string): Promise<void> {
    try {
      await store.forget(idempotencyKey);
    } catch (error) {
      this.options.logger?.warn('bestow: an answered order stays in the store', error);
    }
  }
}
