import type { BestowError } from './errors.ts';

/** How the client reaches the service. Times are milliseconds. */
export interface BestowOptions {
  /** Address of the service, such as `https://gifts.example.com`. */
  baseUrl: string;
  /** Limit of one call with all its attempts and pauses; 60,000 by default. */
  timeoutMs?: number | undefined;
  /** Limit of one attempt, before the next begins; 15,000 by default. */
  tryTimeoutMs?: number | undefined;
  /** How often a read is sent again; 4 by default. Orders and other acts are retried until `timeoutMs`. */
  maxRetries?: number | undefined;
  /** Called after each attempt, for logs and metrics. The client ignores what it returns or throws. */
  onAttempt?: ((attempt: Attempt) => unknown) | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Waits between attempts; tests can replace it. It must return early if the signal is aborted. */
  pause?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Everyone who opens a page can read a key in it and spend its balance. Without this a browser is refused. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** What `onAttempt` gets. */
export interface Attempt {
  method: string;
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
  durationMs: number;
  /** Undefined if no answer came. */
  status: number | undefined;
  requestId: string | undefined;
  /** Undefined if the attempt succeeded. */
  error: BestowError | undefined;
  /** The wait before the next attempt; undefined if there is no next one. */
  pauseMs: number | undefined;
}

const NAMES: Record<keyof BestowOptions, true> = {
  baseUrl: true,
  timeoutMs: true,
  tryTimeoutMs: true,
  maxRetries: true,
  onAttempt: true,
  fetch: true,
  pause: true,
  dangerouslyAllowBrowser: true,
};

/** Returns the address without slashes at its end. @throws TypeError that names what is missing or wrong */
export function checkOptions(apiKey: string | undefined, options: BestowOptions | undefined): string {
  if (typeof apiKey !== 'string' || apiKey.trim() === '')
    throw new TypeError('The API key is missing. Pass it as the first argument of new Bestow.');
  // `Headers` would also refuse it, but with a message that shows the key.
  if (!/^[ -~]*$/.test(apiKey.trim())) throw new TypeError('The API key must be one line of ASCII characters.');
  if (!options?.baseUrl) throw new TypeError('Pass the address of your Bestow: new Bestow(key, { baseUrl }).');
  refuseUnknown('new Bestow', 'option', options, Object.keys(NAMES));
  const { timeoutMs, tryTimeoutMs, maxRetries = 0, dangerouslyAllowBrowser: isAllowed } = options;
  checkTimes({ timeoutMs, tryTimeoutMs });
  if (!(maxRetries >= 0)) throw new TypeError('maxRetries must be a number from 0.');
  if ('window' in globalThis && 'document' in globalThis && !isAllowed)
    throw new TypeError(
      'Do not use an API key in a browser: everyone who opens the page can spend its balance. Call Bestow from your server. If the key is worth nothing, pass dangerouslyAllowBrowser.',
    );
  const href = URL.canParse(options.baseUrl) ? new URL(options.baseUrl).href : '';
  if (!/^https?:\/\/[^/@?#]+(\/[^?#]*)?$/.test(href))
    throw new TypeError('baseUrl must be an http:// or https:// address without user, query and fragment.');
  return href.replace(/\/+$/, '');
}

/** @throws TypeError if a time is given and is not above 0 */
export function checkTimes(times: Record<string, number | undefined>): void {
  for (const [name, ms] of Object.entries(times))
    if (ms !== undefined && !(typeof ms === 'number' && ms > 0))
      throw new TypeError(`${name} must be a number of milliseconds above 0.`);
}

/** @throws TypeError if `given` has a name that is not known: a misspelt one would be ignored in silence */
export function refuseUnknown(what: string, kind: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`${what} has no ${kind} "${unknown}".`);
}
