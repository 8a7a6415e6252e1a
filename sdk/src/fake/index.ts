import { Bestow } from '../client.ts';
import { limits } from '../limit.ts';
import type { BestowOptions } from '../options.ts';
import type { WebFetch } from '../platform.ts';
import type { FakePush } from './memory.ts';
import { type FakeRequest, FakeService } from './service.ts';

export type { FakePush, FakeRequest };

/** Options of a fake; those of the client, too. */
export interface FakeOptions extends BestowOptions {
  /** What the sandbox can spend, in cents; a million dollars by default. */
  balance?: number | undefined;
  /** The sender of gifts without a `sender_name`. */
  organizationName?: string | undefined;
}

const BALANCE = 100_000_000;

/**
 * A client for unit tests that answers itself: no service, no network, no waiting. It is a Bestow, so it takes its place in
 * your program. Test addresses of the sandbox, replays, errors, lists and events are the service’s; its guarantees under
 * load are not. Pauses between attempts move its clock.
 */
export class FakeBestow extends Bestow {
  readonly #service: FakeService;

  constructor({ balance = BALANCE, organizationName = 'Demo Organization', ...options }: FakeOptions = {}) {
    const service = new FakeService(organizationName);
    super('bestow-sandbox-fake', {
      baseUrl: 'https://bestow.test',
      fetch: fetchOf(service),
      async pause(ms) {
        service.memory.aheadMs += ms;
      },
      ...options,
    });
    this.#service = service;
    this.addFunds(balance);
  }

  /** Every request so far, oldest first: what your program sent, and how often. */
  get requests(): readonly FakeRequest[] {
    return this.#service.requests;
  }

  /** Every push to a webhook endpoint so far, oldest first; give them to your receiver. They are signed. */
  get pushes(): readonly FakePush[] {
    return this.#service.memory.pushes;
  }

  /** Adds money to the balance. */
  addFunds(cents: number): void {
    const { memory } = this.#service;
    if (!(Number.isSafeInteger(cents) && cents >= 0)) throw new TypeError('cents must be a whole number from 0.');
    if (cents === 0) return;
    const { entry_id, kind, amount, balance_after } = memory.post('funding', cents);
    memory.emit('balance.funded', { kind, amount, balance: balance_after, entry_id });
  }

  /** Moves the clock: orders complete, gifts that wait are sent. */
  advance(ms: number): void {
    if (!(ms >= 0)) throw new TypeError('ms must be a number from 0.');
    this.#service.memory.aheadMs += ms;
  }

  /**
   * Refuses the next call with this error, such as `internal_error`; call it again for each further one. With
   * `response_lost` the call is done, and its answer is lost.
   */
  failNext(code: string): void {
    this.#service.failures.push(code);
  }
}

function fetchOf(service: FakeService): WebFetch {
  const answer = async (
    address: string | URL | Request,
    { method = 'GET', headers, body, signal }: RequestInit = {},
  ) => {
    signal?.throwIfAborted();
    const { pathname, search } = new URL(`${address}`);
    const request = {
      method,
      path: pathname + search,
      body: typeof body === 'string' ? body : undefined,
      idempotencyKey: new Headers(headers).get('Idempotency-Key') ?? undefined,
    };
    const answered = await service.answer(request, () => signal?.aborted ?? false);
    if (answered === undefined)
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET', message: 'The test lost the answer' } });
    const { delayMs = 0 } = answered;
    const limit = signal ? limits.get(signal) : undefined;
    service.memory.aheadMs += Math.min(delayMs, limit?.ms ?? delayMs);
    if (limit !== undefined && limit.ms < delayMs) limit.end();
    signal?.throwIfAborted();
    return Response.json(answered.body, { status: answered.status, headers: answered.headers });
  };
  return answer as WebFetch;
}
