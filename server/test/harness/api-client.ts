import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ErrorReason } from '../../src/platform/base/error-reasons.ts';
import { catalogue, type ErrorCode } from '../../src/platform/base/errors.ts';
import { judgeAnswer } from './judge-answer.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body, or the text if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

type MoreHeaders = Record<string, string>;

/** Calls the public API with one key. */
export interface ApiClient {
  request(method: string, path: string, options?: { body?: unknown; headers?: MoreHeaders }): Promise<Answer>;
  get(path: string, headers?: MoreHeaders): Promise<Answer>;
  post(path: string, body?: unknown, headers?: MoreHeaders): Promise<Answer>;
  put(path: string, body?: unknown, headers?: MoreHeaders): Promise<Answer>;
  /** Places an order with this idempotency key, or with a new one. */
  order(gifts: unknown, idempotencyKey?: string): Promise<Answer>;
}

export function createApiClient(url: string, key?: string): ApiClient {
  const client: ApiClient = {
    async request(method, path, { body, headers = {} } = {}) {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: { ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }), ...headers },
        ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const answer = { status: response.status, headers: response.headers, body: parse(text) };
      judgeAnswer(method, path, answer);
      return answer;
    },
    get: (path, headers = {}) => client.request('GET', path, { headers }),
    post: (path, body, headers = {}) => client.request('POST', path, { body, headers }),
    put: (path, body, headers = {}) => client.request('PUT', path, { body, headers }),
    order: (gifts, idempotencyKey = randomUUID()) =>
      client.post('/v1/orders', { gifts }, { 'Idempotency-Key': idempotencyKey }),
  };
  return client;
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the ids of all orders, latest first. */
export async function listOrderIds(api: ReturnType<typeof createApiClient>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; cursor = `&starting_after=${ids.at(-1)}`) {
    const { body } = await api.get(`/v1/orders?limit=100${cursor}`);
    ids.push(...body.data.map(({ order_id }: { order_id: string }) => order_id));
    if (!body.has_more) return ids;
  }
}

/** A gift for an order: 25.00 for coffee, to an ordinary address. */
export function gift(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    amount: 2500,
    category: 'coffee',
    delivery: { method: 'email', email: 'someone@example.com' },
    ...more,
  };
}

export const emailGift = (localPart: string, amount = 2500) =>
  gift({ amount, delivery: { method: 'email', email: `${localPart}@sandbox.gift.test` } });

export const linkGift = (amount = 2500) => gift({ amount, delivery: { method: 'link' } });

/** Checks an error's status, body and the headers of its retry class. @param reason finer than the code */
export function assertError(answer: Answer, code: ErrorCode, field?: string, reason?: ErrorReason): void {
  const { status, type, retry } = catalogue[code];
  const param = code === 'idempotency_key_reused' ? 'Idempotency-Key' : field;
  const { message, doc_url } = answer.body?.error ?? {};
  const request_id = answer.headers.get('request-id');
  const named = { ...(param === undefined ? {} : { param }), ...(reason === undefined ? {} : { reason }) };
  const order = code === 'external_id_taken' ? { order_id: answer.body.error.order_id } : {};
  assert.deepEqual(answer.body, { error: { type, code, message, ...named, ...order, doc_url, request_id } });
  assert.equal(answer.status, status);
  assert.match(message, /^[A-Za-z].+[.]$/);
  assert.ok(doc_url.endsWith(`/docs/errors#${code}`), doc_url);
  assert.match(request_id ?? '', /^req_[0-9a-z]{26}$/);
  assert.match(answer.headers.get('retry-after') ?? 'none', retry === 'yes' ? /^[1-9][0-9]*$/ : /^none$/);
}
