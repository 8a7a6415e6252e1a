import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '../../../server/src/base/environment.ts';
import type { Answer } from '../../../server/test/harness/api-client.ts';
import {
  startTestService,
  type TestOrganization,
  type TestService,
} from '../../../server/test/harness/test-service.ts';
import type { HttpRequest } from '../exchange.ts';
import type { DrawnRequest, Reference } from './drawn-request.ts';
import { bodyValue, type PreparedRequest } from './expectation.ts';
import { type Authorizations, openKeys } from './keys.ts';

/** A running service with something in it, which drawn requests are made ready for. */
export interface Site {
  service: TestService;
  /** Its sandbox is there to be reset. */
  doomed: TestOrganization;
  prepare(drawn: DrawnRequest): { request: HttpRequest; prepared: PreparedRequest };
  /** Remembers what an accepted request has made. */
  learn(prepared: PreparedRequest, answer: Answer): void;
}

type Kind = 'order' | 'gift';

const prefixes: Record<Kind, string> = { order: 'ord', gift: 'gift' };

/** So many of each are remembered, the latest: each is met several times, in the states that it comes through. */
const MOST_REMEMBERED = 60;

class Pool<Item> {
  readonly #items: Item[] = [];

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length > MOST_REMEMBERED) this.#items.shift();
  }

  pick(choice: number): Item | undefined {
    return this.#items[choice % this.#items.length];
  }

  has(item: Item): boolean {
    return this.#items.includes(item);
  }
}

export const cursors = ['starting_after', 'ending_before'];

interface UsedKey {
  key: string;
  body: unknown;
}

const newPools = () => ({ order: new Pool<string>(), gift: new Pool<string>(), keys: new Pool<UsedKey>() });

/** More than a hundred thousand orders of ten of the dearest gifts. */
const FUNDS_CENTS = 1_000_000_000_000;

export async function openSite(): Promise<Site> {
  // Requests follow each other while the clock stands still.
  const unlimited = { RATE_LIMIT_BURST: '10000000', RATE_LIMIT_ADDRESS_BURST: '10000000' };
  const service = await startTestService(unlimited);
  const liveOnly = await service.second({ SERVE_ENVIRONMENTS: 'live' });
  const organization = await service.organization({ live: FUNDS_CENTS, sandbox: FUNDS_CENTS });
  const foreign = await service.organization();
  const doomed = await service.organization({ sandbox: 0 });
  const authorizations: Authorizations = await openKeys(service, organization);
  const pools = { live: newPools(), sandbox: newPools(), foreign: newPools() };
  let made = 0;

  function remember(into: keyof typeof pools, { order_id, gifts }: { order_id: string; gifts: { gift_id: string }[] }) {
    pools[into].order.add(order_id);
    for (const { gift_id } of gifts) pools[into].gift.add(gift_id);
  }

  for (let count = 0; count < 3; count += 1)
    for (const [into, client] of [
      ['foreign', foreign.sandbox],
      ['live', organization.live],
      ['sandbox', organization.sandbox],
    ] as const) {
      const gifts = ['a@example.com', 'b@example.com'].map((email) => ({
        amount: 1000,
        category: 'coffee',
        delivery: { method: 'email', email },
      }));
      remember(into, (await client.order([...gifts, { ...gifts[0], delivery: { method: 'link' } }])).body);
    }

  function textOf(reference: Reference, kind: Kind, environment: Environment): string {
    if (reference.kind === 'text') return reference.text;
    const { pick } = reference;
    const unknown = `${prefixes[kind]}_${String(pick).padStart(26, '0')}`;
    const otherKind = kind === 'order' ? 'gift' : 'order';
    const found = {
      own: pools[environment][kind],
      foreign: pools.foreign[kind],
      otherKind: pools[environment][otherKind],
      unknown: new Pool<string>(),
    }[reference.kind].pick(pick);
    return found ?? unknown;
  }

  function idempotencyKeyOf({ idempotencyKey }: DrawnRequest, environment: Environment) {
    if (idempotencyKey.kind === 'sent') return { text: idempotencyKey.text, used: undefined };
    const used = idempotencyKey.kind === 'fresh' ? undefined : pools[environment].keys.pick(idempotencyKey.text.length);
    made += 1;
    return { text: used?.key ?? `${made} ${idempotencyKey.text}`.slice(0, 255), used };
  }

  function prepare(drawn: DrawnRequest): { request: HttpRequest; prepared: PreparedRequest } {
    const { operation, keyKind } = drawn;
    const environment = keyKind === 'live' ? 'live' : 'sandbox';
    const kind: Kind = operation.path.startsWith('/v1/orders') ? 'order' : 'gift';
    const id = operation.path.includes('{') ? textOf(drawn.id, kind, environment) : undefined;
    const query = drawn.query.map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : textOf(value, kind, environment),
    ]);
    const { text: idempotencyKey, used } = idempotencyKeyOf(drawn, environment);
    const isReplay = drawn.idempotencyKey.kind === 'usedWithThisBody' && used !== undefined;
    const text = isReplay ? JSON.stringify(used.body) : bodyText(drawn);
    const contentType = drawn.contentType === undefined ? {} : { 'Content-Type': drawn.contentType };
    const authorization =
      operation.operationId === 'resetSandbox' && keyKind === 'sandbox'
        ? `Bearer ${doomed.keys.sandbox}`
        : authorizations[keyKind];
    const isOwn = (one: string) => pools[environment][kind].has(one);
    const prepared: PreparedRequest = {
      operation,
      isWrongMethod: drawn.wrongMethod !== undefined,
      isUnknownPath: drawn.unknownSegment !== undefined,
      keyKind,
      idempotencyKey: idempotencyKey?.trim(),
      text,
      param: drawn.body.kind === 'json' && !isReplay ? drawn.body.param : undefined,
      query,
      isFound: id === undefined ? undefined : isOwn(id),
      facts: (body) => ({
        operationId: operation.operationId,
        environment,
        body,
        keyUse: used === undefined ? 'fresh' : isDeepStrictEqual(used.body, body) ? 'replayed' : 'reused',
        strayCursor: query.find(([name, cursor]) => cursors.includes(name) && !isOwn(cursor))?.[0],
      }),
    };
    const unknown = drawn.unknownSegment === undefined ? '' : `/unknown/${drawn.unknownSegment}`;
    const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(id ?? '')) + unknown;
    const search = query.map((entry) => entry.map(encodeURIComponent).join('=')).join('&');
    const method = drawn.wrongMethod ?? operation.method;
    return {
      prepared,
      request: {
        operationId: operation.operationId,
        url: keyKind === 'otherEnvironment' ? liveOnly.url : service.url,
        method,
        path: search === '' ? path : `${path}?${search}`,
        headers: {
          ...(authorization === undefined ? {} : { Authorization: authorization }),
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
          ...contentType,
        },
        body: method === 'GET' || method === 'HEAD' ? undefined : text,
      },
    };
  }

  function learn(prepared: PreparedRequest, { status, body }: Answer): void {
    if (prepared.operation.operationId !== 'createOrder' || status !== 201) return;
    const environment = prepared.keyKind === 'live' ? 'live' : 'sandbox';
    remember(environment, body);
    pools[environment].keys.add({ key: prepared.idempotencyKey ?? '', body: bodyValue(prepared) });
  }

  return { service, doomed, prepare, learn };
}

function bodyText({ body }: DrawnRequest): string | undefined {
  switch (body.kind) {
    case 'none':
      return undefined;
    case 'json':
      return JSON.stringify(body.value);
    case 'text':
      // As it is sent: half of a surrogate pair has no bytes in UTF-8.
      return body.text.toWellFormed();
    case 'padded':
      return JSON.stringify(body.value).padStart(body.bytes - bytesBeyondCharacters(body.value));
  }
}

/** By how much a value's JSON has more bytes than characters. */
function bytesBeyondCharacters(value: unknown): number {
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) - text.length;
}
