import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { BestowError } from '../../../src/platform/base/errors.ts';
import { createRequestCounter } from '../../../src/platform/http/hooks.ts';

const request = (config: { isProbe?: boolean } = {}) => ({ routeConfig: config }) as FastifyRequest;
const isOverloaded = (error: unknown) => error instanceof BestowError && error.code === 'rate_limit_exceeded';

test('accepts 2,500 requests at once, refuses more, and accepts again when they end', () => {
  const requests = createRequestCounter();
  const accepted = Array.from({ length: 2_500 }, () => request());
  for (const each of accepted) requests.enter(each);
  const refused = request();
  assert.throws(() => requests.enter(refused), isOverloaded);
  requests.enter(request({ isProbe: true }));
  assert.equal(requests.leave(refused), true);
  for (const each of accepted.slice(0, 3)) requests.leave(each);
  requests.enter(request());
  requests.enter(request());
  assert.throws(() => requests.enter(request()), isOverloaded);
});

test('too many requests that wait for a stalled database are an unexpected failure', (t) => {
  let nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs);
  const requests = createRequestCounter();
  for (let n = 0; n < 2_500; n += 1) requests.enter(request());
  requests.noteStall();
  assert.throws(() => requests.enter(request()), { code: 'internal_error', outcome: 'database_unavailable' });
  nowMs += 10_000;
  assert.throws(() => requests.enter(request()), isOverloaded);
});

test('a request that ends twice is counted once', () => {
  const requests = createRequestCounter();
  const one = request();
  requests.enter(one);
  assert.deepEqual([requests.leave(one), requests.leave(one)], [true, false]);
});
