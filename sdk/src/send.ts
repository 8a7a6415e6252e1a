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
type Request = { body?: unknown; idempotencyKey?: string; isSentOnce?: boolean; tryTimeoutMs?: number };
/** What an answer is told by, its id or its `object`: a gateway has JSON of its own. */
type Mark = 'order_id' | 'gift_id' | 'list' | 'sandbox_reset';
/** Sends until it is answered for good. @throws ApiError, ConnectionError, AbortError; TypeError before it is sent */
export type Send = ReturnType<typeof createSend>;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A timer set to more ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws TypeError where the key cannot be sent or the address says anything but where the service is */
export function createSend(apiKey: string, options: BestowOptions) {
  const { timeoutMs: usualTimeoutMs = 60_000, tryTimeoutMs: usualTryTimeoutMs = 15_000, pause = sleep } = options;
  const authorization = `Bearer ${apiKey.trim()}`;
  // Else `Headers` would refuse it with a message that shows it.
  if (!/^[ -~]*$/.test(authorization)) throw new TypeError('The API key must be one line of ASCII characters.');
  const { href } = new URL(options.baseUrl);
  if (!/^https?:\/\/[^/@]+\/[^?#]*$/.test(href))
    throw new TypeError('baseUrl must be an http:// or https:// address without user, query and fragment.');
  const base = href.replace(/\/+$/, '');

  async function tryOnce(url: string, init: RequestInit, timeoutMs: number, stop: AbortSignal) {
    const { signal, release } = limit(timeoutMs, stop);
    let response: Response | undefined;
    try {
      response = await (options.fetch ?? fetch)(url, { ...init, signal });
      return { response, answer: (await response.json()) as unknown };
    } catch (cause) {
      return { response, cause };
    } finally {
      release();
    }
  }

  return async <Answer>(mark: Mark, method: string, path: string, call: CallOptions = {}, request: Request = {}) => {
    const { signal, timeoutMs = usualTimeoutMs, ...others } = call;
    const { body, idempotencyKey, isSentOnce, tryTimeoutMs = usualTryTimeoutMs } = request;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new TypeError(`This call has no option «${unknown}».`);
    if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
      throw new TypeError('idempotencyKey must be a string.');
    // Made once: what a caller changes meanwhile must not make a retry another order.
    const headers = new Headers({ Authorization: authorization });
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
    const init: RequestInit = { method, headers, redirect: 'manual', body: JSON.stringify(body) ?? null };
    const deadlineMs = performance.now() + timeoutMs;
    const { signal: stop, release } = limit(timeoutMs, signal);
    let facts: CallFacts = { idempotencyKey, outcomeUnknown: false };
    try {
      for (let longestMs = FIRST_PAUSE_MS; ; longestMs = Math.min(2 * longestMs, LONGEST_PAUSE_MS)) {
        if (signal?.aborted) throw new AbortError('The call was aborted.', facts, signal.reason);
        const { response, answer, cause } = await tryOnce(base + path, init, tryTimeoutMs, stop);
        const apiError = ApiError.of(answer, facts, response?.headers.has('Retry-After'));
        const { [mark]: id, object } = Object(answer);
        if (!apiError && response?.ok && (typeof id === 'string' || object === mark)) return answer as Answer;
        if (apiError === undefined) facts = { ...facts, outcomeUnknown: true };
        if (signal?.aborted) throw new AbortError('The call was aborted.', facts, signal.reason);
        const what = response ? `HTTP ${response.status} is no answer of the service` : 'No answer came';
        const error = apiError ?? new ConnectionError(`${what}: the outcome is unknown.`, facts, cause);
        if (apiError ? !apiError.retryable : isSentOnce) throw error;
        // Half of it at random, so that clients that failed together do not come back together.
        const pauseMs = Math.max(longestMs / 2, retryAfterMs(response)) + (Math.random() * longestMs) / 2;
        if (performance.now() + pauseMs >= deadlineMs) throw error;
        await pause(pauseMs, stop);
        if (stop.aborted && !signal?.aborted) throw error;
      }
    } finally {
      release();
    }
  };
}

/** Of seconds, or of a date, as a gateway may send it. */
const retryAfterMs = (response: Response | undefined) => {
  const text = response?.headers.get('Retry-After') ?? '';
  const [, seconds] = /^\s*(\d+)\s*(,|$)/.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1000;
  return (/^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun).*:/.test(text) && Date.parse(text) - Date.now()) || 0;
};
/** Its signal is aborted after a while or with another one, until it is released: listeners must not pile up. */
const limit = (ms: number, stop: AbortSignal | undefined) => {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, Math.min(ms, LONGEST_TIMER_MS));
  stop?.addEventListener('abort', end);
  if (stop?.aborted) end();
  const release = () => {
    clearTimeout(timer);
    stop?.removeEventListener('abort', end);
  };
  return { signal: ending.signal, release };
};
const sleep = async (ms: number, stop: AbortSignal) => {
  const { signal, release } = limit(ms, stop);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  release();
};
