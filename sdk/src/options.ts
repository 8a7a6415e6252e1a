import type { WebFetch, WebSignal } from './platform.ts';
import type { Store } from './store.ts';

/** How the client reaches the service. Times are milliseconds. */
export interface BestowOptions {
  /** Address of the service, such as `https://gifts.example.com`; BESTOW_URL of the environment by default. */
  baseUrl?: string | undefined;
  /** Limit of one call with all its attempts and pauses; 60,000 by default. */
  timeoutMs?: number | undefined;
  /** Limit of one attempt, before the next begins; 15,000 by default. */
  tryTimeoutMs?: number | undefined;
  /** How often a call is sent again at most. By default a read 4 times, and orders and other acts until `timeoutMs`. */
  maxRetries?: number | undefined;
  /** More headers of each request. Those that the client sets itself are refused. */
  headers?: Record<string, string> | undefined;
  /**
   * Gets a line for each attempt, such as `console`: `debug` if it succeeded, `warn` if not. Without keys, names, addresses
   * and bodies.
   */
  logger?: Record<'debug' | 'warn', (...line: unknown[]) => void> | undefined;
  /** Called after each attempt, for logs and metrics. The client ignores what it returns or throws. */
  onAttempt?: ((attempt: Attempt) => unknown) | undefined;
  /** Keeps each order until it has a final answer, so that `orders.resume` can finish what a crash left. */
  store?: Store | undefined;
  /** Replaces the global `fetch`. */
  fetch?: WebFetch | undefined;
  /** Waits between attempts; tests can replace it. It must return early if the signal is aborted. */
  pause?: ((ms: number, signal: WebSignal) => Promise<void>) | undefined;
  /** Everyone who opens a page can read a key in it and spend its balance. Without this a browser is refused. */
  dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * Allows an `http:` address on the internet, where others can read the key. This machine, private networks, and names
   * without a dot or below `.localhost`, `.local` and `.internal` need no permission.
   */
  allowInsecureHttp?: boolean | undefined;
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
  idempotencyKey: string | undefined;
  /** A BestowError, or what the caller’s `fetch` threw; undefined if the attempt succeeded. */
  error: Error | undefined;
  /** The wait before the next attempt; undefined if there is no next one. */
  pauseMs: number | undefined;
}

const NAMES =
  'baseUrl timeoutMs tryTimeoutMs maxRetries headers logger onAttempt store fetch pause dangerouslyAllowBrowser allowInsecureHttp';
const PRIVATE_IPV4 =
  /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;
const PRIVATE_IPV6 = /^\[(::1?|f[cd]..:.*|fe[89ab].:.*)\]$/;
const PRIVATE_NAME = /^([a-z][\w-]*|.*\.(localhost|local|internal))\.?$/;

/** A variable of the environment, where the platform has one and permits it to be read. */
function variable(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name];
  } catch {
    return undefined;
  }
}

/** @throws TypeError if the key is missing or cannot be sent */
export function keyOf(given: string | undefined): string {
  const apiKey = given === undefined ? variable('BESTOW_KEY') : given;
  if (typeof apiKey !== 'string' || apiKey.trim() === '')
    throw new TypeError('The API key is missing. Pass it as the first argument of new Bestow, or set BESTOW_KEY.');
  // `Headers` would also refuse it, but with a message that shows the key.
  if (!/^[ -~]*$/.test(apiKey.trim())) throw new TypeError('The API key must be one line of ASCII characters.');
  return apiKey.trim();
}

export const isIdempotencyKey = (key: unknown): boolean =>
  typeof key === 'string' && /^[!-~]([ -~]{0,253}[!-~])?$/.test(key);

/** Returns the address without slashes at its end. @throws TypeError that names what is missing or wrong */
export function checkOptions(options: BestowOptions): string {
  refuseUnknown('new Bestow', 'option', options, NAMES);
  const { baseUrl = variable('BESTOW_URL'), timeoutMs, tryTimeoutMs, maxRetries } = options;
  if (!baseUrl)
    throw new TypeError('Pass the address of your Bestow: new Bestow(key, { baseUrl }), or set BESTOW_URL.');
  checkTimes({ timeoutMs, tryTimeoutMs }, maxRetries);
  if ('window' in globalThis && 'document' in globalThis && !options.dangerouslyAllowBrowser)
    throw new TypeError(
      'Do not use an API key in a browser: everyone who opens the page can spend its balance. Call Bestow from your server, or pass dangerouslyAllowBrowser.',
    );
  const href = URL.canParse(baseUrl) ? new URL(baseUrl).href : '';
  if (!/^https?:\/\/[^/@?#]+(\/[^?#]*)?$/.test(href))
    throw new TypeError('baseUrl must be an http:// or https:// address without user, query and fragment.');
  const base = href.replace(/\/+$/, '');
  const { protocol, host, hostname, pathname } = new URL(base);
  if (pathname.endsWith('/v1'))
    throw new TypeError(`baseUrl must end before /v1, which the client adds: ${base.slice(0, -'/v1'.length)}`);
  const isPrivate = [PRIVATE_IPV4, PRIVATE_IPV6, PRIVATE_NAME].some((network) => network.test(hostname));
  if (protocol === 'http:' && !isPrivate && !options.allowInsecureHttp)
    throw new TypeError(
      `http://${host} would carry the API key over the internet unencrypted. Use https:, or pass allowInsecureHttp.`,
    );
  return base;
}

/** @throws TypeError if a time is given and is not above 0, or `maxRetries` is below 0 */
export function checkTimes(times: Record<string, number | undefined>, maxRetries = 0): void {
  for (const [name, ms] of Object.entries(times))
    if (ms !== undefined && !(typeof ms === 'number' && ms > 0))
      throw new TypeError(`${name} must be a number of milliseconds above 0.`);
  if (!(maxRetries >= 0)) throw new TypeError('maxRetries must be a number from 0.');
}

/** @throws TypeError if `given` has a name that is not known: a misspelt one would be ignored in silence */
export function refuseUnknown(what: string, kind: string, given: object, known: string): void {
  const unknown = Object.keys(given).find((name) => !known.split(' ').includes(name));
  if (unknown !== undefined) throw new TypeError(`${what} has no ${kind} "${unknown}".`);
}
