import { Attempts, type LastResponse, type Service } from './attempts.ts';
import { limit } from './limit.ts';
import { OPERATIONS, type Operations } from './operations.ts';
import { type BestowOptions, checkCall, checkOptions, isIdempotencyKey, keyOf, refuseUnknown } from './options.ts';
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
/** A request by its path. */
export interface Request {
  mark?: string | undefined;
  body?: unknown;
  kept?: string | undefined;
  store?: Store | undefined;
  idempotencyKey?: string | undefined;
  isSentOnce?: boolean | undefined;
  tryTimeoutMs?: number | undefined;
}
type Flags = { takesKey?: true; isSentOnce?: true };
export const VERSION = '1.4.2';
const CALL_OPTIONS = ['signal', 'timeoutMs', 'maxRetries', 'headers'];

/** @throws TypeError if there is no id, or it cannot be part of a path */
function checkId(name: string, text: unknown): string {
  if (text == null || /^\.{0,2}$/.test(`${text}`)) throw new TypeError('The id is missing.');
  if (typeof text !== 'string') throw new TypeError(`${name} must be a text.`);
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
function queryOf(query: object, known: readonly string[]): string {
  refuseUnknown('This call', 'parameter', query, known);
  const pairs = Object.entries(query).flatMap(([name, value]): string[][] => {
    // No parts: the service refuses an empty text.
    if (value === undefined || (name === 'expand' && Array.isArray(value) && value.length === 0)) return [];
    if (Object.prototype.toString.call(value) !== '[object Object]') return [[name, textOf(name, value)]];
    return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, textOf(`${name}.${key}`, one)]);
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** `JSON.stringify` would leave out or empty what is no JSON. @throws TypeError that names the field */
function checkValue(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const isObject = Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]';
  const isPlain = value === null ? this[name] === null : /string|boolean|undefined/.test(typeof value);
  if (isObject || isPlain || Number.isFinite(value)) return value;
  throw new TypeError(`${name} must be a value that JSON has, or a valid date.`);
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

  /** Sends and retries until there is a final answer. @throws ApiError, ConnectionError, AbortError; TypeError before sending */
  async call<Id extends OperationId>(
    id: Id,
    { ids, query = {}, body, kept, tryTimeoutMs }: Sent<Id>,
    given: ActOptions = {},
  ): Promise<Answer<Operations[Id]['answer']>> {
    const row: Flags & { method: string; path: string; mark?: string; query?: readonly string[] } = OPERATIONS[id];
    const left = [...(ids ?? [])];
    const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name) => checkId(name, left.shift()));
    refuseUnknown('This call', 'option', given, row.takesKey ? [...CALL_OPTIONS, 'idempotencyKey'] : CALL_OPTIONS);
    const { idempotencyKey = row.takesKey && crypto.randomUUID(), ...others } = given;
    const store = id === 'createOrder' ? this.options.store : undefined;
    const sent = { mark: row.mark, body, kept, store, idempotencyKey, isSentOnce: row.isSentOnce, tryTimeoutMs };
    return await this.send(row.method, `${path}${queryOf(query, row.query ?? [])}`, others, sent);
  }

  /** As `call`, with the parts that the caller asks for. */
  expanded<Id extends OperationId, Parts extends GiftParts, Body extends Operations[Id]['answer']>(
    id: Id,
    sent: Sent<Id>,
    { expand, ...given }: ActOptions & Expand<Parts> = {},
  ): Promise<Answer<Expanded<Body, Parts>>> {
    return this.call(id, { ...sent, query: { expand } }, given) as Promise<Answer<Expanded<Body, Parts>>>;
  }

  async send<Body>(method: string, path: string, call: CallOptions, request: Request): Promise<Answer<Body>> {
    refuseUnknown('This call', 'option', call, CALL_OPTIONS);
    checkCall({ timeoutMs: call.timeoutMs }, call.maxRetries, call.headers);
    const { signal, timeoutMs = this.options.timeoutMs ?? 60_000, maxRetries = this.options.maxRetries } = call;
    const { mark, kept, store, idempotencyKey, isSentOnce = false } = request;
    if (idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey))
      throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters, without blanks at its ends.');
    const headers = new Headers(this.options.headers);
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    headers.set('Authorization', `Bearer ${this.#key}`);
    headers.set('User-Agent', `bestow-sdk/${VERSION}`);
    // Built once: if the caller changes the body later, a retry must still be the same order.
    const body = kept ?? JSON.stringify(request.body, checkValue);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
    const init = { ...this.#init, method, headers, redirect: 'manual', body: body ?? null } as const;
    const tryTimeoutMs = request.tryTimeoutMs ?? this.options.tryTimeoutMs ?? 15_000;
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

  /** The answer counts more than the store: an order that stays kept is placed only once, too. */
  async #forget(store: Store, idempotencyKey: string): Promise<void> {
    try {
      await store.forget(idempotencyKey);
    } catch (error) {
      this.options.logger?.warn('bestow: an answered order stays in the store', error);
    }
  }
}
