import { AbortError, ApiError, type BestowError, type CallFacts, ConnectionError, TimeoutError } from './errors.ts';
import { limit, sleep } from './limit.ts';
import { explainFailure, explainForeign } from './no-answer.ts';
import { type BestowOptions, checkOptions, checkTimes, refuseUnknown } from './options.ts';

/** Options of every method: `signal` ends the call, `timeoutMs` limits it with all its attempts. */
export type CallOptions = { signal?: AbortSignal | undefined; timeoutMs?: number | undefined };
/** How an answer came. */
export interface LastResponse {
  status: number;
  /** Give this id to the operator when you ask for help. */
  requestId: string | undefined;
  headers: Headers;
  /** Whether the answer is that of an earlier call with the same `Idempotency-Key`. */
  isReplay: boolean;
  idempotencyKey: string | undefined;
  attempts: number;
}
/** An answer; `lastResponse` is not enumerable, so it is not in its JSON. */
export type Answer<Body> = Body & { readonly lastResponse: LastResponse };
/** `isSentOnce`: a repeat could do more than the first call, so the client does not retry without an answer. */
type Request = {
  body?: unknown;
  idempotencyKey?: string | undefined;
  isSentOnce?: boolean;
  tryTimeoutMs?: number;
  maxRetries?: number;
};
/** What identifies an answer of the service, its id or `object`: a gateway may answer with other JSON. */
type Mark =
  | 'order_id'
  | 'gift_id'
  | 'list'
  | 'balance'
  | 'sandbox_reset'
  | `ledger_${'checkpoint' | 'proof' | 'statement'}`;
/** Sends and retries until there is a final answer. @throws ApiError, ConnectionError, AbortError; TypeError before sending */
export type Send = ReturnType<typeof createSend>;
export const VERSION = '1.0.0';
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const READ_RETRIES = 4;
/** Calls to a wrong address end after this time. An address that has answered before is right: its service restarts. */
const WRONG_ADDRESS_MS = 2_000;

/** @throws TypeError if the key cannot be sent, or an option is wrong or unknown */
export function createSend(apiKey: string | undefined, options: BestowOptions) {
  const base = checkOptions(apiKey, options);
  const client = { base, options, hasAnswered: false };
  const common = { Authorization: `Bearer ${apiKey?.trim()}`, 'User-Agent': `bestow-sdk/${VERSION}` };

  return async <Body>(
    mark: Mark | undefined,
    method: string,
    path: string,
    call: CallOptions = {},
    request: Request = {},
  ): Promise<Answer<Body>> => {
    refuseUnknown('This call', 'option', call, ['signal', 'timeoutMs']);
    checkTimes({ timeoutMs: call.timeoutMs });
    const { signal, timeoutMs = options.timeoutMs ?? 60_000 } = call;
    const { body, idempotencyKey } = request;
    if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
      throw new TypeError('idempotencyKey must be a string.');
    // Built once: if the caller changes the body later, a retry must still be the same order.
    const headers = new Headers(common);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
    const init: RequestInit = { method, headers, redirect: 'manual', body: JSON.stringify(body) ?? null };
    const { signal: stop, release } = limit(timeoutMs, signal);
    try {
      const answer = await new Call(client, { ...request, mark, method, path, init, timeoutMs, signal, stop }).run();
      return answer as Answer<Body>;
    } finally {
      release();
    }
  };
}

interface Client {
  base: string;
  options: BestowOptions;
  /** Whether the service has answered at this address. */
  hasAnswered: boolean;
}

interface Plan extends Request {
  mark: Mark | undefined;
  method: string;
  path: string;
  init: RequestInit;
  timeoutMs: number;
  /** The caller's. */
  signal: AbortSignal | undefined;
  /** Ends with the caller's signal or with the time limit. */
  stop: AbortSignal;
}

type Tried = { response?: Response; answer?: unknown; cause?: unknown; isLate: boolean };
type Verdict = { error: BestowError; mayRetry: boolean; isUnconnected: boolean };

/** One call with all its attempts. */
class Call {
  readonly #client: Client;
  readonly #plan: Plan;
  readonly #isRead: boolean;
  readonly #tryTimeoutMs: number;
  readonly #startMs = performance.now();
  #facts: CallFacts;

  constructor(client: Client, plan: Plan) {
    this.#client = client;
    this.#plan = plan;
    this.#isRead = plan.method === 'GET';
    this.#tryTimeoutMs = plan.tryTimeoutMs ?? client.options.tryTimeoutMs ?? 15_000;
    const { idempotencyKey } = plan;
    this.#facts = { idempotencyKey, outcomeUnknown: false, attempts: 0, status: undefined, headers: undefined };
  }

  async run(): Promise<unknown> {
    const { signal, stop } = this.#plan;
    if (signal?.aborted) throw this.#aborted();
    for (let longestMs = FIRST_PAUSE_MS; ; longestMs = Math.min(2 * longestMs, LONGEST_PAUSE_MS)) {
      const attemptMs = performance.now();
      const tried = await this.#tryOnce();
      const verdict = this.#judge(tried);
      if (verdict === undefined) {
        this.#client.hasAnswered = true;
        this.#report(attemptMs);
        return this.#withLastResponse(tried.answer);
      }
      this.#client.hasAnswered ||= verdict.error instanceof ApiError;
      const error = signal?.aborted ? this.#aborted() : verdict.error;
      const pauseMs = stop.aborted ? undefined : this.#pauseBeforeNext(verdict, longestMs);
      this.#report(attemptMs, error, pauseMs);
      if (pauseMs === undefined) throw error;
      await (this.#client.options.pause ?? sleep)(pauseMs, stop);
      if (signal?.aborted) throw this.#aborted();
      if (stop.aborted) throw error;
    }
  }

  #requestId = () => this.#facts.headers?.get('Request-Id') ?? undefined;
  #aborted = () => new AbortError('The call was aborted.', this.#facts, this.#plan.signal?.reason);

  async #tryOnce(): Promise<Tried> {
    const { base, options } = this.#client;
    const { path, init, stop } = this.#plan;
    const { signal, ended, release } = limit(this.#tryTimeoutMs, stop);
    const seen: Omit<Tried, 'isLate'> = {};
    const read = async () => {
      seen.response = await (options.fetch ?? fetch)(base + path, { ...init, signal });
      seen.answer = await seen.response.json();
    };
    // A `fetch` of the caller may not end with its signal.
    await Promise.race([read(), ended]).catch((cause: unknown) => {
      seen.cause = cause;
    });
    release();
    const { status, headers } = seen.response ?? {};
    this.#facts = { ...this.#facts, attempts: this.#facts.attempts + 1, status, headers };
    return { ...seen, isLate: signal.aborted && seen.answer === undefined };
  }

  /** Undefined if the attempt succeeded. */
  #judge({ response, answer, cause, isLate }: Tried): Verdict | undefined {
    const error = ApiError.of(answer, this.#facts);
    if (error) return { error, mayRetry: error.retryable, isUnconnected: false };
    const { mark, isSentOnce, timeoutMs, stop } = this.#plan;
    const { [mark ?? '']: id, object } = Object(answer);
    const isOurs = mark === undefined ? answer === Object(answer) : typeof id === 'string' || object === mark;
    if (response?.ok && isOurs) return undefined;
    const { base, options } = this.#client;
    const limitMs = stop.aborted ? timeoutMs : this.#tryTimeoutMs;
    const late = { message: `No answer came from ${base} within ${limitMs} ms`, isUnconnected: false, isFinal: false };
    const known = response ? explainForeign(base, response) : explainFailure(base, cause);
    const { message, isUnconnected, isFinal } = isLate ? late : known;
    // A `fetch` of the caller may have sent it before, on another connection.
    const isUnsent = isUnconnected && options.fetch === undefined;
    const outcomeUnknown = this.#facts.outcomeUnknown || !(this.#isRead || isUnsent);
    this.#facts = { ...this.#facts, outcomeUnknown };
    const { attempts } = this.#facts;
    const text = `${message}${attempts === 1 ? '' : ` (${attempts} attempts)`}${outcomeUnknown ? ': the outcome is unknown' : ''}.`;
    const Class = isLate ? TimeoutError : ConnectionError;
    return {
      error: new Class(text, this.#facts, cause),
      mayRetry: !isFinal && (isUnsent || !isSentOnce),
      isUnconnected,
    };
  }

  /** Undefined if there is no next attempt. */
  #pauseBeforeNext({ error, mayRetry, isUnconnected }: Verdict, longestMs: number): number | undefined {
    const { timeoutMs, maxRetries = this.#client.options.maxRetries ?? READ_RETRIES } = this.#plan;
    if (!mayRetry || (this.#isRead && this.#facts.attempts > maxRetries)) return undefined;
    // Half of the pause is random, so that clients that failed together do not retry together.
    const pauseMs = Math.max(longestMs / 2, error.retryAfterMs) + (Math.random() * longestMs) / 2;
    const mostMs = isUnconnected && !this.#client.hasAnswered ? Math.min(timeoutMs, WRONG_ADDRESS_MS) : timeoutMs;
    return performance.now() + pauseMs < this.#startMs + mostMs ? pauseMs : undefined;
  }

  #report(sinceMs: number, error?: BestowError, pauseMs?: number): void {
    const { method, path } = this.#plan;
    const { attempts: attempt, status } = this.#facts;
    const requestId = this.#requestId();
    const durationMs = performance.now() - sinceMs;
    const event = { method, path, attempt, durationMs, status, requestId, error, pauseMs };
    void Promise.resolve(event)
      .then(this.#client.options.onAttempt)
      .catch(() => undefined);
  }

  #withLastResponse(answer: unknown): unknown {
    const { status, headers, idempotencyKey, attempts } = this.#facts;
    const requestId = this.#requestId();
    const isReplay = headers?.get('Idempotent-Replayed') === 'true';
    const value = { status, requestId, headers, isReplay, idempotencyKey, attempts };
    return Object.defineProperty(answer, 'lastResponse', { value });
  }
}
