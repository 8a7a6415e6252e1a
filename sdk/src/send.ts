import { AbortError, ApiError, type CallFacts, ConnectionError } from './errors.ts';

/** How the client reaches the service. Times are milliseconds. */
export interface BestowOptions {
  /** Address of the service, such as `https://gifts.example.com`. */
  baseUrl: string;
  /** Limit of one call with all its attempts and pauses; 60,000 by default. */
  timeoutMs?: number | undefined;
  /** Limit of one attempt, before the next begins; 15,000 by default. */
  tryTimeoutMs?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Waits between attempts; tests can replace it. It must return early if the signal is aborted. */
  pause?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Options of every method: `signal` ends the call, `timeoutMs` limits it with all its attempts. */
export type CallOptions = { signal?: AbortSignal | undefined; timeoutMs?: number | undefined };
/** `isSentOnce`: a repeat could do more than the first call, so the client does not retry without an answer. */
type Request = { body?: unknown; idempotencyKey?: string; isSentOnce?: boolean; tryTimeoutMs?: number };
/** What identifies an answer of the service, its id or `object`: a gateway may answer with other JSON. */
type Mark = 'order_id' | 'gift_id' | 'list' | 'sandbox_reset';
/** Sends and retries until there is a final answer. @throws ApiError, ConnectionError, AbortError; TypeError before sending */
export type Send = ReturnType<typeof createSend>;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A timer set to more fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws TypeError if the key cannot be sent, or the address has a user, query or fragment */
export function createSend(apiKey: string, options: BestowOptions) {
  const { timeoutMs: usualTimeoutMs = 60_000, tryTimeoutMs: usualTryTimeoutMs = 15_000, pause = sleep } = options;
  const authorization = `Bearer ${apiKey.trim()}`;
  // `Headers` would also refuse it, but with a message that shows the key.
  if (!/^[ -~]*$/.test(authorization)) throw new TypeError('The API key must be one line of ASCII characters.');
  const base = baseOf(options.baseUrl);

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
    if (unknown !== undefined) throw new TypeError(`This call has no option "${unknown}".`);
    if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string')
      throw new TypeError('idempotencyKey must be a string.');
    // Built once: if the caller changes the body later, a retry must still be the same order.
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
        const what = response ? `HTTP ${response.status} did not come from the service` : 'No answer came';
        const error = apiError ?? new ConnectionError(`${what}: the outcome is unknown.`, facts, cause);
        if (apiError ? !apiError.retryable : isSentOnce) throw error;
        // Half of the pause is random, so that clients that failed together do not retry together.
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

/** Checks the address and removes slashes at its end. */
const baseOf = (baseUrl: string) => {
  const { href } = new URL(baseUrl);
  if (!/^https?:\/\/[^/@]+\/[^?#]*$/.test(href))
    throw new TypeError('baseUrl must be an http:// or https:// address without user, query and fragment.');
  return href.replace(/\/+$/, '');
};
/** Reads seconds, or a date as a gateway may send it. */
const retryAfterMs = (response: Response | undefined) => {
  const text = response?.headers.get('Retry-After') ?? '';
  const [, seconds] = /^\s*(\d+)\s*(,|$)/.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1000;
  return (/^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun).*:/.test(text) && Date.parse(text) - Date.now()) || 0;
};
/** Aborts after `ms` or with `stop`; `release` removes the listener and the timer. */
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
