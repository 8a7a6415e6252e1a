import { randomBytes } from 'node:crypto';
import { checkObject } from './description.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of every resource, checked against Stripe's schemas
export type Json = any;

/** Any time source, such as the test clock. */
export interface StripeClock {
  now(): number;
}

/** What Stripe refuses, with its words. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: Json;
  constructor(status: number, body: { type: string; message: string; [more: string]: unknown }) {
    super(body.message);
    this.status = status;
    this.body = { error: body };
  }
}

export const invalidRequest = (message: string, more: object = {}, status = 400) =>
  new StripeRefusal(status, { type: 'invalid_request_error', message, ...more });

/** One request to an operation. */
export interface Call {
  /** The ids in the path, in order. */
  ids: string[];
  /** Checked and converted. */
  form: Json;
}

export type Handler = (account: Account, call: Call) => object;
/** A resource's operations, such as `POST /v1/customers`. */
export type Resource = Record<string, Handler>;

const MANY = 10;

/** The state of an account at Stripe: objects by id, in the order of their creation, and events. */
export class Account {
  readonly objects = new Map<string, Json>();
  readonly events: Json[] = [];
  /** Called with each event. */
  onEvent: (event: Json) => void = () => undefined;
  url = '';
  /** What purchases with issued cards are paid from, in cents. */
  issuingBalance = 100_000_000;
  readonly livemode: boolean;
  readonly apiVersion: string;
  readonly #clock: StripeClock;
  #count = 0;

  constructor(clock: StripeClock, { livemode, apiVersion }: { livemode: boolean; apiVersion: string }) {
    this.#clock = clock;
    this.livemode = livemode;
    this.apiVersion = apiVersion;
  }

  /** Unix seconds. */
  now(): number {
    return Math.floor(this.#clock.now() / 1_000);
  }

  newId(prefix: string): string {
    this.#count += 1;
    return `${prefix}_${String(this.#count).padStart(6, '0')}${randomBytes(5).toString('hex')}`;
  }

  /** Adds an object with an id, and checks it against its schema. */
  add(prefix: string, object: string, fields: Json): Json {
    const id = this.newId(prefix);
    const whole = { id, object, created: this.now(), livemode: this.livemode, ...fields };
    if (object === 'balance_transaction' || object === 'refund') delete whole.livemode;
    checkObject(object, whole);
    this.objects.set(id, whole);
    return whole;
  }

  /** @throws StripeRefusal if there is no such object */
  find(id: string, object: string): Json {
    const found = this.objects.get(id);
    if (found?.object !== object)
      throw invalidRequest(`No such ${object}: '${id}'`, { code: 'resource_missing', param: 'id' }, 404);
    return found;
  }

  all(object: string, matches: (one: Json) => boolean = () => true): Json[] {
    return [...this.objects.values()].filter((one) => one.object === object && matches(one));
  }

  /** A page, newest first, as `limit`, `starting_after`, `ending_before` and `created` ask. */
  page(url: string, ascending: Json[], { limit = MANY, starting_after, ending_before, created }: Json): object {
    const isWithin = (time: number) =>
      created === undefined ||
      (typeof created === 'number'
        ? time === created
        : time >= (created.gte ?? 0) &&
          time > (created.gt ?? -1) &&
          time <= (created.lte ?? Number.MAX_SAFE_INTEGER) &&
          time < (created.lt ?? Number.MAX_SAFE_INTEGER));
    const matching = ascending.filter((one) => isWithin(one.created)).reverse();
    const indexOf = (id: string) => matching.findIndex((one) => one.id === id);
    if (ending_before !== undefined) {
      const before = matching.slice(0, indexOf(ending_before));
      return { object: 'list', url, data: before.slice(-limit), has_more: before.length > limit };
    }
    const rest = starting_after === undefined ? matching : matching.slice(indexOf(starting_after) + 1);
    return { object: 'list', url, data: rest.slice(0, limit), has_more: rest.length > limit };
  }

  /** Records an event with the object as it is now. */
  emit(type: string, object: Json, previous?: object): void {
    const event = this.newEvent(type, object, previous);
    this.events.push(event);
    this.onEvent(event);
  }

  /** An event that is not recorded. */
  newEvent(type: string, object: Json, previous?: object): Json {
    const event = {
      id: this.newId('evt'),
      object: 'event',
      api_version: this.apiVersion,
      created: this.now(),
      data: structuredClone(previous === undefined ? { object } : { object, previous_attributes: previous }),
      livemode: this.livemode,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    checkObject(object.object, object);
    checkObject('event', event);
    return event;
  }
}
