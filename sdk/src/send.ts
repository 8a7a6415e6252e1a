import { AbortError, ApiError, type CallFacts, ConnectionError } from './errors.ts';

/** How the client reaches the service. Times are milliseconds. */
export interface BestowOptions {
  /** Address of the service, such as `https://gifts.example.com`. */
  baseUrl: string;
  /** Limit of one call with all its tries and pauses; 60,000 unless said otherwise. */
  timeoutMs?: number | undefined;
  /** Limit of one try, after which the next begins; 15,000 unless said otherwise. */
  tryTimeoutMs?: number | undefined;
  /** Another `fetch` than the global one. */
  fetch?: typeof fetch | undefined;
  /** Makes the pauses between tries, for tests; it must end early where the signal is aborted. */
  pause?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** What every method takes: `signal` ends the call, `timeoutMs` limits it with all its tries (milliseconds). */
export type CallOptions = { signal?: AbortSignal | undefined; timeoutMs?: number | undefined };
/** `isSentOnce`: twice is not the same as once, so without an answer it is not sent again. */
type Request = { body?: unknown; idempotencyKey?: string; isSentOnce?: boolean };
/** Sends until it is answered for good. @throws ApiError, ConnectionError, AbortError */
export type Send = <Answer>(verb: string, path: string, options?: CallOptions, request?: Request) => Promise<Answer>;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A timer set to more ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws TypeError where the address is not one of http or https, or says more than where the service is */
export function createSend(apiKey: string, options: BestowOptions): Send {
  const { timeoutMs: usualTimeoutMs = 60_000, tryTimeoutMs = 15_000, pause = sleep } = options;
  const { protocol, username, search, hash, href } = new URL(options.baseUrl);
  if (!/^https?:$/.test(protocol) || username || search || hash)
    throw new TypeError('baseUrl must be an http:// or https:// address without user, query and fragment.');
  const base = href.replace(/\/+$/, '');

  async function tryOnce(url: string, init: RequestInit, stop: AbortSignal) {
    const ending = new AbortController();
    const end = () => ending.abort();
    stop.addEventListener('abort', end);
    const timer = setTimeout(end, Math.min(tryTimeoutMs, LONGEST_TIMER_MS));
    let response: Response | undefined;
    try {
      response = await (options.fetch ?? fetch)(url, { ...init, signal: ending.signal });
      return { response, answer: (await response.json()) as unknown };
    } catch (cause) {
      return { response, cause };
    } finally {
      clearTimeout(timer);
    }
  }

  return async <Answer>(method: string, path: string, call: CallOptions = {}, request: Request = {}) => {
    const { signal, timeoutMs = usualTimeoutMs } = call;
    const { body, idempotencyKey, isSentOnce } = request;
    // Made once: what a caller changes meanwhile must not make a retry another order.
    const headers = new Headers({ Authorization: `Bearer ${apiKey}` });
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
    const init: RequestInit = { method, headers, redirect: 'manual', body: JSON.stringify(body) ?? null };
    const deadlineMs = performance.now() + timeoutMs;
    const stop = new AbortController();
    const onAbort = () => stop.abort();
    signal?.addEventListener('abort', onAbort);
    const timer = setTimeout(onAbort, Math.min(timeoutMs, LONGEST_TIMER_MS));
    let facts: CallFacts = { idempotencyKey, outcomeUnknown: false };
    try {
      for (let longestMs = FIRST_PAUSE_MS; ; longestMs = Math.min(2 * longestMs, LONGEST_PAUSE_MS)) {
        if (signal?.aborted) throw new AbortError('The call was aborted.', facts, signal.reason);
        const { response, answer, cause } = await tryOnce(base + path, init, stop.signal);
        if (response?.ok && typeof answer === 'object' && answer !== null) return answer as Answer;
        const apiError = ApiError.of(answer, facts);
        if (apiError === undefined) facts = { ...facts, outcomeUnknown: true };
        if (signal?.aborted) throw new AbortError('The call was aborted.', facts, signal.reason);
        const what = response ? `HTTP ${response.status} without an error object` : 'No answer came';
        const error = apiError ?? new ConnectionError(`${what}: the outcome is unknown.`, facts, cause);
        if (apiError ? !apiError.retryable : isSentOnce) throw error;
        // Up to half of it at random, so that clients that failed together do not come back together.
        const pauseMs = Math.max(longestMs * (1 - Math.random() / 2), retryAfterMs(response));
        if (performance.now() + pauseMs >= deadlineMs) throw error;
        await pause(pauseMs, stop.signal);
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  };
}

/** Of seconds, or of a date, as a gateway may send it. */
const retryAfterMs = (response: Response | undefined) => {
  const text = response?.headers.get('Retry-After') ?? '0';
  return (/^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()) || 0;
};
const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)));
  });
