import { AbortError, ApiError, BestowError, type CallFacts, ConnectionError, TimeoutError } from './errors.ts';
import { limit, sleep } from './limit.ts';
import { explainFailure, explainForeign, isCut, type NoAnswer } from './no-answer.ts';
import type { Attempt, BestowOptions } from './options.ts';
import type { WebHeaders } from './platform.ts';
import { readAnswer } from './read-answer.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const READ_RETRIES = 4;
/** Calls to a wrong address end after this time. */
const WRONG_ADDRESS_MS = 2_000;

/** How an answer came. */
export interface LastResponse {
  status: number;
  /** Give this id to the operator when you ask for help. */
  requestId: string | undefined;
  headers: WebHeaders;
  /** Whether the answer is that of an earlier call with the same `Idempotency-Key`. */
  isReplay: boolean;
  idempotencyKey: string | undefined;
  attempts: number;
}

/** The service that is called. */
export type Service = { base: string; options: BestowOptions };
/** Addresses at which a service has answered this program: they are right, and a service that is not there restarts. */
const answered = new Set<string>();

/** One call, before its first attempt. @internal */
export interface Plan {
  method: string;
  path: string;
  /** Tells the service's answer from a gateway's: a member that is never null, or the word in `object`. */
  mark: string | undefined;
  init: RequestInit;
  idempotencyKey: string | undefined;
  /** A repeat could do more than the first call, so it is not sent again without an answer. */
  isSentOnce: boolean;
  timeoutMs: number;
  tryTimeoutMs: number;
  maxRetries: number | undefined;
  /** The caller's. */
  signal: AbortSignal | undefined;
  /** Ends with the caller's signal or with the time limit. */
  stop: AbortSignal;
}

type Tried = { response?: Response; answer?: unknown; cause?: unknown; isLate: boolean };
type Verdict = { error: unknown; mayRetry: boolean; isUnreachable: boolean };

const RETRIED = { isUnconnected: false, isUnreachable: false, isFinal: false };

/** One call with all its attempts. @internal */
export class Attempts {
  readonly #service: Service;
  readonly #plan: Plan;
  readonly #isRead: boolean;
  readonly #startMs = performance.now();
  /** What the pauses and the late attempts must have taken; a `pause` of tests takes less. */
  #leastMs = 0;
  #facts: CallFacts;

  constructor(service: Service, plan: Plan) {
    this.#service = service;
    this.#plan = plan;
    this.#isRead = plan.method === 'GET';
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
        answered.add(this.#service.base);
        this.#report(attemptMs);
        return this.#withLastResponse(tried.answer);
      }
      if (verdict.error instanceof ApiError) answered.add(this.#service.base);
      const error = signal?.aborted ? this.#aborted() : verdict.error;
      const pauseMs = stop.aborted ? undefined : this.#pauseBeforeNext(verdict, longestMs);
      this.#report(attemptMs, { error }, pauseMs);
      if (pauseMs === undefined) throw error;
      await (this.#service.options.pause ?? sleep)(pauseMs, stop);
      if (signal?.aborted) throw this.#aborted();
      if (stop.aborted) throw error;
    }
  }

  #elapsedMs = () => Math.max(performance.now() - this.#startMs, this.#leastMs);
  #requestId = () => this.#facts.headers?.get('Request-Id') ?? undefined;
  #aborted = () => new AbortError('The call was aborted.', this.#facts, this.#plan.signal?.reason);

  async #tryOnce(): Promise<Tried> {
    const { base, options } = this.#service;
    const { path, init, stop, tryTimeoutMs, timeoutMs } = this.#plan;
    const beganMs = this.#elapsedMs();
    const mostMs = Math.min(tryTimeoutMs, timeoutMs - beganMs);
    const { signal, ended, release } = limit(mostMs, stop);
    const seen: Omit<Tried, 'isLate'> = {};
    const read = async () => {
      seen.response = await (options.fetch ?? fetch)(base + path, { ...init, signal });
      seen.answer = await readAnswer(seen.response);
    };
    // A `fetch` of the caller may not end with its signal.
    await Promise.race([read(), ended]).catch((cause: unknown) => {
      seen.cause = cause;
    });
    release();
    const { status, headers } = seen.response ?? {};
    this.#facts = { ...this.#facts, attempts: this.#facts.attempts + 1, status, headers };
    const isLate = signal.aborted && seen.answer === undefined;
    if (isLate) this.#leastMs = beganMs + mostMs;
    return { ...seen, isLate };
  }

  /** Undefined if the attempt succeeded. */
  #judge({ response, answer, cause, isLate }: Tried): Verdict | undefined {
    const error = ApiError.of(answer, this.#facts);
    // Below 400 the service writes no error object: something on the way changed the answer.
    if (error && Number(response?.status) >= 400) return { error, mayRetry: error.retryable, isUnreachable: false };
    const { mark, isSentOnce, tryTimeoutMs, timeoutMs, stop } = this.#plan;
    const { [mark ?? 'object']: member, object } = Object(answer);
    const isOurs = mark === undefined ? answer === Object(answer) : object === mark || (member ?? null) !== null;
    if (response?.ok && isOurs && error === undefined) return undefined;
    const { base, options } = this.#service;
    const limitMs = stop.aborted || this.#elapsedMs() >= timeoutMs ? timeoutMs : tryTimeoutMs;
    const late = { message: `No answer came from ${base} within ${limitMs} ms`, ...RETRIED };
    const known = response && !isCut(cause) ? explainForeign(base, response) : explainFailure(base, cause);
    const seen = isLate ? late : known;
    // No failure of the network. It passes through unchanged, unless the caller must know of an earlier attempt.
    if (seen === undefined && !this.#facts.outcomeUnknown)
      return { error: cause, mayRetry: false, isUnreachable: false };
    const { message, isUnconnected, isUnreachable, isFinal } = seen ?? stopped(base, cause);
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
      isUnreachable,
    };
  }

  /** Undefined if there is no next attempt. */
  #pauseBeforeNext({ error, mayRetry, isUnreachable }: Verdict, longestMs: number): number | undefined {
    const { timeoutMs, maxRetries = this.#isRead ? READ_RETRIES : Number.POSITIVE_INFINITY } = this.#plan;
    if (!(mayRetry && error instanceof BestowError) || this.#facts.attempts > maxRetries) return undefined;
    // Half of the pause is random, so that clients that failed together do not retry together.
    const pauseMs = Math.max(longestMs / 2, error.retryAfterMs) + (Math.random() * longestMs) / 2;
    const isWrongAddress = isUnreachable && !answered.has(this.#service.base);
    const mostMs = isWrongAddress ? Math.min(timeoutMs, WRONG_ADDRESS_MS) : timeoutMs;
    const elapsedMs = this.#elapsedMs() + pauseMs;
    if (elapsedMs >= mostMs) return undefined;
    this.#leastMs = elapsedMs;
    return pauseMs;
  }

  #report(sinceMs: number, thrown?: { error: unknown }, pauseMs?: number): void {
    const { onAttempt, logger } = this.#service.options;
    const { method, path } = this.#plan;
    const { attempts: attempt, status, idempotencyKey } = this.#facts;
    const requestId = this.#requestId();
    const durationMs = performance.now() - sinceMs;
    const error = thrown && (thrown.error instanceof Error ? thrown.error : new Error(String(thrown.error)));
    const event = { method, path, attempt, durationMs, status, requestId, idempotencyKey, error, pauseMs };
    void Promise.resolve(event)
      .then((one) => {
        // The query may name a person.
        logger?.[error === undefined ? 'debug' : 'warn'](`bestow ${method} ${path.split('?')[0]}`, logged(event));
        return onAttempt?.(one);
      })
      .catch(() => undefined);
  }

  #withLastResponse(answer: unknown): unknown {
    const { status, headers, idempotencyKey, attempts } = this.#facts;
    const isReplay = headers?.get('Idempotent-Replayed') === 'true';
    const value = { status, requestId: this.#requestId(), headers, isReplay, idempotencyKey, attempts };
    return Object.defineProperty(answer, 'lastResponse', { value });
  }
}

const stopped = (base: string, cause: unknown): NoAnswer => ({
  message: `A later attempt to reach ${base} was not sent (${(cause as Error | null)?.message})`,
  ...RETRIED,
  isFinal: true,
});

/** Without the key, the body and texts of the service, which may repeat what was sent. */
const logged = ({ attempt, durationMs, status, requestId, error, pauseMs }: Attempt) => ({
  attempt,
  status,
  requestId,
  error: error instanceof ApiError ? error.code : error?.name,
  durationMs: Math.round(durationMs),
  pauseMs: pauseMs && Math.round(pauseMs),
});
