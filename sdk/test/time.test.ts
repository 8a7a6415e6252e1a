import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { body, clientOf, errorStep, order, placed, thrownBy } from '../../server/test/harness/scripted-client.ts';
import { drop, html, json, type Step, silence } from '../../server/test/harness/scripted-server.ts';
import { unlessHung } from '../../server/test/harness/server-process.ts';
import { AbortError, Bestow, ConnectionError, RateLimitError, ServiceError } from '../src/index.ts';

// How long the client waits, and when it stops. Pauses are recorded, not waited for.

const KEY = '00000000-0000-4000-8000-000000000000';

/** A whole second, as HTTP dates are. */
const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const stopClock = (t: TestContext) => t.mock.timers.enable({ apis: ['Date'], now: NOW_MS });

test('pauses are 0.5 s, 1 s, 2 s … 10 s, minus up to half at random', async (t) => {
  const { bestow, pauses } = await clientOf(t, [...Array.from({ length: 8 }, () => drop), placed]);
  await bestow.orders.create(body);
  const longest = [500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000];
  assert.equal(pauses.length, longest.length);
  for (const [index, ms] of pauses.entries()) {
    const most = longest[index] ?? 0;
    assert.ok(ms > most / 2 - 1 && ms <= most, `${index}: ${ms}`);
  }
  assert.ok(new Set(pauses.map((ms, index) => ms / (longest[index] ?? 1))).size > 4, 'no jitter');
});

test('honours Retry-After in seconds and as a date', async (t) => {
  stopClock(t);
  const inThirtySeconds = new Date(NOW_MS + 30_000).toUTCString();
  const { bestow, pauses } = await clientOf(t, [
    errorStep('rate_limit_exceeded', { 'Retry-After': '7' }),
    html(503, { 'Retry-After': inThirtySeconds }),
    errorStep('internal_error', { 'Retry-After': '0' }),
    errorStep('internal_error', { 'Retry-After': 'soon' }),
    placed,
  ]);
  await bestow.orders.create(body);
  const [seconds = 0, date = 0, zero = 0, nonsense = 0] = pauses;
  assert.ok(seconds >= 7000 && seconds <= 7250, `${seconds}`);
  assert.ok(date >= 30_000 && date <= 30_500, `${date}`);
  assert.ok(zero >= 1000 && nonsense >= 2000);
});

test('clients that were refused together do not retry together', async (t) => {
  const first = [];
  for (let client = 0; client < 20; client += 1) {
    const { bestow, pauses } = await clientOf(t, [errorStep('resource_locked', { 'Retry-After': '1' }), placed]);
    await bestow.orders.create(body);
    first.push(Math.round(pauses[0] ?? 0));
  }
  assert.ok(Math.min(...first) >= 1000 && Math.max(...first) <= 1250, `${first}`);
  assert.ok(new Set(first).size > 10, `${first}`);
});

const inAnHour = new Date(NOW_MS + 3_600_000);
for (const [text, leastMs, mostMs] of [
  ['3 ', 3000, 3500],
  [' 4\t', 4000, 4500],
  ['5, 6', 5000, 5500],
  [`${inAnHour.toUTCString()} `, 3_600_000, 3_600_500],
  [`in ${inAnHour.getFullYear() + 1}`, 0, 500],
  [`Sunday in ${inAnHour.getFullYear() + 2}`, 0, 500],
  [`${inAnHour.getFullYear() + 1}-01-01`, 0, 500],
  ['1.5', 0, 500],
  ['Sun, 31 Feb 2027 12:00:00 GMT', 0, 500],
  ['Sun, 21 Nov 2027 12:00 GMT+1', 0, 500],
  ['-9', 0, 500],
] as const)
  test(`Retry-After "${text}" ${mostMs > 500 ? 'is honoured' : 'is ignored'}`, async (t) => {
    stopClock(t);
    const { bestow, pauses } = await clientOf(t, [html(503, { 'Retry-After': text }), placed], { timeoutMs: 9e6 });
    await bestow.orders.create(body);
    assert.equal(pauses.length, 1);
    assert.ok((pauses[0] ?? 0) >= leastMs && (pauses[0] ?? 0) <= mostMs, `${pauses}`);
  });

test('throws at once if Retry-After is longer than the time limit', async (t) => {
  const { bestow, seen } = await clientOf(t, [errorStep('rate_limit_exceeded', { 'Retry-After': '61' })]);
  const error = await thrownBy(bestow.orders.create(body, { idempotencyKey: KEY }));
  assert.ok(error instanceof RateLimitError && error.retryable);
  assert.equal(error.idempotencyKey, KEY);
  assert.equal(seen.length, 1);
});

test('the time limit ends a call without an answer; the error holds its key', async (t) => {
  const { seen, baseUrl } = await clientOf(t, [silence]);
  let error: unknown;
  // On a busy machine the limit can end before the first attempt.
  for (let timeoutMs = 150; seen.length === 0; timeoutMs *= 2) {
    const thrown = thrownBy(new Bestow('key', { baseUrl, timeoutMs }).orders.create(body));
    error = await unlessHung(thrown, 'the limit ends the call');
  }
  assert.ok(error instanceof ConnectionError && error.outcomeUnknown);
  assert.match(error.idempotencyKey ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(error.idempotencyKey, seen[0]?.idempotencyKey);
  // The call's limit overrides the client's.
  const patient = new Bestow('key', { baseUrl });
  assert.ok((await thrownBy(patient.orders.create(body, { timeoutMs: 50 }))) instanceof ConnectionError);
});

test('an attempt without an answer is followed by the next', async (t) => {
  const { bestow, seen } = await clientOf(t, [silence, placed], { tryTimeoutMs: 2_000 });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const created = bestow.orders.create(body);
  while (seen.length === 0) await new Promise(setImmediate);
  t.mock.timers.tick(2_000);
  assert.deepEqual(await created, order);
  assert.equal(seen.length, 2);
});

test('a limit longer than any timer means no limit', async (t) => {
  const { bestow } = await clientOf(t, [drop, placed], { timeoutMs: Number.POSITIVE_INFINITY, tryTimeoutMs: 2 ** 40 });
  assert.deepEqual(await bestow.orders.create(body), order);
});

test('an AbortSignal ends a call before, during and between attempts', async (t) => {
  const { bestow, seen } = await clientOf(t, [silence]);
  const reason = new Error('enough');
  const before = await thrownBy(bestow.orders.create(body, { signal: AbortSignal.abort(reason), idempotencyKey: 'a' }));
  assert.ok(before instanceof AbortError);
  assert.deepEqual([before.cause, before.idempotencyKey, before.outcomeUnknown], [reason, 'a', false]);
  assert.equal(seen.length, 0);

  const during = new AbortController();
  const waiting = thrownBy(bestow.orders.create(body, { signal: during.signal, idempotencyKey: 'b' }));
  while (seen.length === 0) await new Promise(setImmediate);
  during.abort(reason);
  const aborted = await waiting;
  assert.ok(aborted instanceof AbortError);
  assert.deepEqual([aborted.cause, aborted.idempotencyKey, aborted.outcomeUnknown], [reason, 'b', true]);

  // The real pause of an hour, which the signal ends.
  const between = new AbortController();
  const { baseUrl: busy, seen: tries } = await clientOf(t, [errorStep('resource_locked', { 'Retry-After': '3600' })]);
  let isAnswered = false;
  const client = new Bestow('key', {
    baseUrl: busy,
    timeoutMs: 9e6,
    // Returns the whole answer at once, so that the client has read it.
    async fetch(...call) {
      const answer = await fetch(...call);
      const text = await answer.text();
      isAnswered = true;
      return new Response(text, answer);
    },
  });
  const paused = thrownBy(client.orders.create(body, { signal: between.signal }));
  while (!isAnswered) await new Promise(setImmediate);
  setTimeout(() => between.abort(), 30);
  const cut = await unlessHung(paused, 'the signal ends the pause');
  assert.equal(tries.length, 1);
  assert.ok(cut instanceof AbortError && !cut.outcomeUnknown);
  assert.match(cut.idempotencyKey ?? '', /^[0-9a-f-]{36}$/);
});

test('a call that times out in a pause throws the last error without a new attempt', async (t) => {
  const pause = (_: number, stop: AbortSignal) =>
    new Promise<void>((resolve) => {
      stop.addEventListener('abort', () => resolve());
      t.mock.timers.tick(2_500);
    });
  const { bestow, seen } = await clientOf(t, [errorStep('resource_locked', { 'Retry-After': '0' }), silence], {
    pause,
    timeoutMs: 2_500,
    tryTimeoutMs: 9_000,
  });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const error = await thrownBy(bestow.orders.create(body));
  assert.ok(error instanceof ServiceError && !error.outcomeUnknown);
  assert.equal(seen.length, 1);
});

test('a long outage leaves no listeners on any signal', async (t) => {
  const listeners = new Map<unknown, number>();
  let most = 0;
  const count = (signal: unknown, change: number) => {
    listeners.set(signal, (listeners.get(signal) ?? 0) + change);
    most = Math.max(most, ...listeners.values());
  };
  for (const [name, change] of [
    ['addEventListener', 1],
    ['removeEventListener', -1],
  ] as const) {
    const method = EventTarget.prototype[name];
    t.mock.method(EventTarget.prototype, name, function (this: EventTarget, ...args: Parameters<typeof method>) {
      count(this, change);
      return method.apply(this, args);
    });
  }
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let tries = 0;
  const bestow = new Bestow('key', {
    baseUrl: 'http://localhost',
    timeoutMs: Number.POSITIVE_INFINITY,
    fetch: async () => {
      tries += 1;
      return tries > 12 ? Response.json({ order_id: 'ord_1' }) : new Response('', { status: 502 });
    },
  });
  const { signal } = new AbortController();
  let isOver = false;
  const call = bestow.orders.create(body, { signal }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise(setImmediate);
    t.mock.timers.tick(10_000);
  }
  await call;
  assert.equal(tries, 13);
  assert.equal(most, 1);
  assert.equal(listeners.get(signal), 0);
});

test('only a reset may use all the time of its call for one attempt', async (t) => {
  const late: Step = (response, request) => {
    setTimeout(() => json(200, { object: 'sandbox_reset', gift_id: 'gift_1' })(response, request), 600);
  };
  const { bestow, seen } = await clientOf(t, [late], { tryTimeoutMs: 100 });
  await bestow.sandbox.reset();
  assert.equal(seen.length, 1);
  assert.ok((await thrownBy(bestow.sandbox.claim('gift_1'))) instanceof ConnectionError);
  assert.ok((await thrownBy(bestow.sandbox.reset({ timeoutMs: 100 }))) instanceof ConnectionError);
});
