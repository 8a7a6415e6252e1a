import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { body, clientOf, errorStep, order, thrownBy } from '../../server/test/harness/scripted-client.ts';
import { html, json } from '../../server/test/harness/scripted-server.ts';
import {
  ApiError,
  type Attempt,
  BestowError,
  ConnectionError,
  ServiceError,
  TimeoutError,
  VERSION,
} from '../src/index.ts';

// What a program can see of its calls, against a scripted server.

const answered = (status: number, answer: unknown, more = {}) =>
  json(status, answer, { 'Request-Id': 'req_9', ...more });

test('an answer says its request, status, key, attempts, and whether it is a replay', async (t) => {
  const replayed = answered(200, order, { 'Idempotent-Replayed': 'true' });
  const { bestow } = await clientOf(t, [html(502), answered(201, order), replayed]);
  const first = await bestow.orders.create(body, { idempotencyKey: 'mine' });
  const { headers, ...facts } = first.lastResponse;
  assert.deepEqual(facts, { status: 201, requestId: 'req_9', isReplay: false, idempotencyKey: 'mine', attempts: 2 });
  assert.equal(headers.get('Request-Id'), 'req_9');
  assert.equal(JSON.stringify(first), JSON.stringify(order));
  const again = await bestow.orders.create(body, { idempotencyKey: 'mine' });
  assert.deepEqual([again.lastResponse.status, again.lastResponse.isReplay], [200, true]);
});

test('an error says its status, headers, attempts and wait, also as JSON', async (t) => {
  const { bestow } = await clientOf(t, [errorStep('rate_limit_exceeded', { 'Retry-After': '3600' })]);
  const error = await thrownBy(bestow.orders.create(body, { idempotencyKey: 'mine' }));
  assert.ok(error instanceof ApiError);
  const { status, requestId, attempts, retryAfterMs, headers } = error;
  assert.deepEqual([status, requestId, attempts, retryAfterMs], [429, 'req_1', 1, 3_600_000]);
  assert.equal(headers?.get('Retry-After'), '3600');
  const { name, message, code, idempotencyKey } = JSON.parse(JSON.stringify(error));
  assert.deepEqual([name, message, code, idempotencyKey], ['RateLimitError', error.message, error.code, 'mine']);
  assert.equal('cause' in error, false);
});

test('a hook sees every attempt, and cannot disturb the call', async (t) => {
  const seen: Attempt[] = [];
  const { bestow, pauses } = await clientOf(t, [html(503), errorStep('resource_locked'), answered(201, order)], {
    onAttempt: async (attempt) => {
      seen.push(attempt);
      throw new Error('the log is full');
    },
  });
  assert.deepEqual(await bestow.orders.create(body), order);
  assert.deepEqual(
    seen.map(({ method, path, attempt, status, requestId, pauseMs }) => ({
      method,
      path,
      attempt,
      status,
      requestId,
      pauseMs,
    })),
    [503, 409, 201].map((status, index) => ({
      method: 'POST',
      path: '/v1/orders',
      attempt: index + 1,
      status,
      requestId: status === 201 ? 'req_9' : undefined,
      pauseMs: pauses[index],
    })),
  );
  assert.ok(seen[0]?.error instanceof ConnectionError && seen[1]?.error instanceof ServiceError);
  assert.ok(seen.every(({ durationMs }) => durationMs >= 0) && seen[2]?.error === undefined);
});

test('requests name the SDK and its version', async (t) => {
  const { version } = JSON.parse(readFileSync('sdk/package.json', 'utf8'));
  assert.equal(VERSION, version);
  let agent: string | undefined;
  const { bestow } = await clientOf(t, [
    (response, request) => {
      agent = request.headers['user-agent'];
      answered(201, order)(response, request);
    },
  ]);
  await bestow.orders.create(body);
  assert.equal(agent, `bestow-sdk/${version}`);
});

test('an operation of a newer service is called by its path; only a key allows repeats', async (t) => {
  const { bestow, seen } = await clientOf(t, [html(502), html(502), answered(200, { later: 1 })]);
  assert.ok((await thrownBy(bestow.request('POST', '/v1/later'))) instanceof ConnectionError);
  assert.equal(seen.length, 1);
  const { later } = await bestow.request<{ later: number }>('POST', '/v1/later', { body: {}, idempotencyKey: 'k' });
  assert.deepEqual([later, seen.length, seen[2]?.idempotencyKey], [1, 3, 'k']);
});

test('waits until an order is processed, and no longer than its limit', async (t) => {
  const processing = answered(200, { ...order, status: 'processing' });
  const { bestow, seen, pauses } = await clientOf(t, [processing, processing, answered(200, order)]);
  assert.deepEqual(await bestow.orders.waitUntilProcessed('ord_1'), order);
  assert.deepEqual([seen.length, pauses], [3, [500, 1000]]);
  const { bestow: late } = await clientOf(t, [processing]);
  const error = await thrownBy(late.orders.waitUntilProcessed('ord_1', { timeoutMs: 400 }));
  assert.ok(error instanceof TimeoutError && !error.outcomeUnknown);
});

test('instanceof is true for errors of another copy, and only for its class', async () => {
  const copy = (await import(`../src/errors.ts?${'copy'}`)) as typeof import('../src/errors.ts');
  const facts = { idempotencyKey: undefined, outcomeUnknown: false, attempts: 1, status: 500, headers: undefined };
  const error = new copy.ServiceError({ type: 'api_error', code: 'c', message: 'm', request_id: 'r' }, facts);
  assert.ok(copy.ServiceError !== ServiceError && error instanceof ServiceError);
  assert.ok(error instanceof ApiError && error instanceof BestowError && !(error instanceof ConnectionError));
  class Mine extends ApiError {}
  assert.ok(!(error instanceof Mine));
});
