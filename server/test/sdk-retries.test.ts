import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import {
  AbortError,
  ApiError,
  AuthenticationError,
  Bestow,
  BestowError,
  ConnectionError,
  InsufficientBalanceError,
  InvalidRequestError,
  type NewOrder,
  type Order,
  RateLimitError,
  ServiceError,
} from '../../sdk/src/index.ts';
import { catalogue, type ErrorCode, errorCodes } from '../src/errors.ts';
import { drop, html, json, type Step, silence, startScriptedServer, truncate } from './harness/scripted-server.ts';

// What the client sends again and what not (specification, part 7), against a server that does what the test says. Pauses
// are recorded instead of waited for.

const body: NewOrder = { gifts: [{ amount: 2500, category: 'coffee', delivery: { method: 'link' } }] };
const order: Order = { order_id: 'ord_1', status: 'processed', gifts: [] };
const placed = json(201, order);
const KEY = '00000000-0000-4000-8000-000000000000';

function errorStep(code: ErrorCode, headers: Record<string, string> = {}): Step {
  const { status, type, message } = catalogue[code];
  return json(status, { error: { type, code, message, param: 'p', doc_url: 'd', request_id: 'req_1' } }, headers);
}

/** A client of the script, that notes how long it would have paused. */
async function clientOf(t: TestContext, script: Step[], options: { timeoutMs?: number; tryTimeoutMs?: number } = {}) {
  const { baseUrl, seen } = await startScriptedServer(t, ...script);
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
  };
  return { bestow: new Bestow('bestow-sandbox-key', { baseUrl, pause, ...options }), seen, pauses, baseUrl };
}

async function thrownBy(act: Promise<unknown>): Promise<unknown> {
  try {
    await act;
  } catch (error) {
    return error;
  }
  return assert.fail('It did not throw.');
}

const classes = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  insufficient_balance_error: InsufficientBalanceError,
  rate_limit_error: RateLimitError,
  api_error: ServiceError,
};

for (const code of errorCodes) {
  const { type, retry, message } = catalogue[code];
  if (retry === 'yes')
    test(`${code} (retry class yes) is sent again with the same key until it succeeds`, async (t) => {
      const { bestow, seen, pauses } = await clientOf(t, [errorStep(code), errorStep(code), placed]);
      assert.deepEqual(await bestow.orders.create(body), order);
      assert.equal(seen.length, 3);
      assert.equal(pauses.length, 2);
      assert.equal(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
      assert.equal(new Set(seen.map((request) => request.body)).size, 1);
    });
  else
    test(`${code} (retry class ${retry}) is not sent again, and the error says all that the answer says`, async (t) => {
      const { bestow, seen } = await clientOf(t, [errorStep(code, { 'Retry-After': '1' }), placed]);
      const error = await thrownBy(bestow.orders.create(body, { idempotencyKey: 'mine' }));
      assert.equal(seen.length, 1);
      assert.ok(error instanceof classes[type] && error instanceof ApiError && error instanceof BestowError);
      assert.equal(error.name, classes[type].name);
      const { param, requestId, docUrl, retryable, idempotencyKey, outcomeUnknown } = error;
      assert.deepEqual(
        { message: error.message, type: error.type, code: error.code, param, requestId, docUrl, retryable },
        { message, type, code, param: 'p', requestId: 'req_1', docUrl: 'd', retryable: false },
      );
      assert.deepEqual({ idempotencyKey, outcomeUnknown }, { idempotencyKey: 'mine', outcomeUnknown: false });
    });
}

const withoutAnswer: [name: string, step: Step][] = [
  ['a dropped connection', drop],
  ['an answer that is cut off', truncate],
  ['an HTML 502', html(502)],
  ['an HTML 200', html(200)],
  ['a 504 without a body', (response) => response.writeHead(504).end()],
  ['JSON without an error object', json(503, { message: 'upstream' })],
  ['JSON null', json(200, null)],
  ['an error of a type that nobody knows', json(500, { error: { type: 'toString', code: 'x' } })],
  ['a redirect to elsewhere', (response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()],
];
for (const [name, step] of withoutAnswer)
  test(`${name}: an order is sent again with the same key, and so is whatever may be sent twice`, async (t) => {
    const { bestow, seen } = await clientOf(t, [step, step, placed]);
    assert.deepEqual(await bestow.orders.create(body, { idempotencyKey: 'mine' }), order);
    assert.deepEqual(
      seen.map(({ idempotencyKey }) => idempotencyKey),
      ['mine', 'mine', 'mine'],
    );
    const { sandbox, orders, gifts } = bestow;
    for (const call of [() => orders.retrieve('ord_1'), () => sandbox.open('gift_1'), () => sandbox.spend('gift_1')]) {
      seen.length = 0;
      await call();
      assert.equal(seen.length, 3);
    }
    for (const call of [
      () => gifts.redirect('gift_1', { method: 'phone', phone: '+12025550100' }),
      () => sandbox.deliver('gift_1'),
      () => sandbox.claim('gift_1'),
      () => sandbox.reset(),
    ]) {
      seen.length = 0;
      const error = await thrownBy(call());
      assert.ok(error instanceof ConnectionError);
      assert.deepEqual([error.outcomeUnknown, error.idempotencyKey], [true, undefined]);
      assert.equal(seen.length, 1);
    }
  });

test('an error that means «nothing happened, try again» is sent again whatever the call is', async (t) => {
  const { bestow, seen } = await clientOf(t, [errorStep('resource_locked'), json(200, { object: 'sandbox_reset' })]);
  await bestow.sandbox.reset();
  assert.equal(seen.length, 2);
});

test('pauses are 0.5 s, 1 s, 2 s … at most 10 s, less up to half of it at random', async (t) => {
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

test('Retry-After is honoured, in seconds and as a date, and never shortens a pause', async (t) => {
  const inThirtySeconds = new Date(Date.now() + 30_000).toUTCString();
  const { bestow, pauses } = await clientOf(t, [
    errorStep('rate_limit_exceeded', { 'Retry-After': '7' }),
    html(503, { 'Retry-After': inThirtySeconds }),
    errorStep('internal_error', { 'Retry-After': '0' }),
    errorStep('internal_error', { 'Retry-After': 'soon' }),
    placed,
  ]);
  await bestow.orders.create(body);
  const [seconds, date = 0, zero = 0, nonsense = 0] = pauses;
  assert.equal(seconds, 7000);
  assert.ok(date > 25_000 && date <= 30_000, `${date}`);
  assert.ok(zero >= 1000 && nonsense >= 2000);
});

test('where Retry-After would outlast the time limit, the error comes at once', async (t) => {
  const { bestow, seen } = await clientOf(t, [errorStep('rate_limit_exceeded', { 'Retry-After': '61' })]);
  const error = await thrownBy(bestow.orders.create(body, { idempotencyKey: KEY }));
  assert.ok(error instanceof RateLimitError && error.retryable);
  assert.equal(error.idempotencyKey, KEY);
  assert.equal(seen.length, 1);
});

test('the time limit ends a call that gets no answer, and the error holds the key to go on with', async (t) => {
  const { bestow, seen, baseUrl } = await clientOf(t, [silence], { timeoutMs: 150 });
  const startedAtMs = performance.now();
  const error = await thrownBy(bestow.orders.create(body));
  assert.ok(performance.now() - startedAtMs < 5_000);
  assert.ok(error instanceof ConnectionError && error.outcomeUnknown);
  assert.match(error.idempotencyKey ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(error.idempotencyKey, seen[0]?.idempotencyKey);
  // A limit of the call itself goes before the client's.
  const patient = new Bestow('key', { baseUrl });
  assert.ok((await thrownBy(patient.orders.create(body, { timeoutMs: 50 }))) instanceof ConnectionError);
});

test('a try without an answer gives way to the next', async (t) => {
  const { bestow, seen } = await clientOf(t, [silence, placed], { tryTimeoutMs: 100 });
  assert.deepEqual(await bestow.orders.create(body), order);
  assert.equal(seen.length, 2);
});

test('what a limit longer than any timer asks for is no limit at all', async (t) => {
  const { bestow } = await clientOf(t, [drop, placed], { timeoutMs: Number.POSITIVE_INFINITY, tryTimeoutMs: 2 ** 40 });
  assert.deepEqual(await bestow.orders.create(body), order);
});

test('an AbortSignal ends a call before, during and between its tries; the error holds key and reason', async (t) => {
  const { bestow, seen, baseUrl } = await clientOf(t, [silence]);
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

  // With pauses of its own, which the signal cuts short.
  const between = new AbortController();
  const { baseUrl: busy, seen: tries } = await startScriptedServer(
    t,
    errorStep('resource_locked', { 'Retry-After': '9' }),
  );
  const paused = thrownBy(new Bestow('key', { baseUrl: busy }).orders.create(body, { signal: between.signal }));
  while (tries.length === 0) await new Promise(setImmediate);
  const startedAtMs = performance.now();
  setTimeout(() => between.abort(), 30);
  const cut = await paused;
  assert.ok(cut instanceof AbortError && !cut.outcomeUnknown);
  assert.match(cut.idempotencyKey ?? '', /^[0-9a-f-]{36}$/);
  assert.ok(performance.now() - startedAtMs < 5_000);
  assert.ok(baseUrl !== busy);
});

test('after a try without an answer even an error object leaves the outcome of the call unknown', async (t) => {
  const { bestow } = await clientOf(t, [drop, errorStep('insufficient_balance')]);
  const error = await thrownBy(bestow.orders.create(body));
  assert.ok(error instanceof InsufficientBalanceError && error.outcomeUnknown);
});

test('each order has a key of its own; what the caller changes meanwhile does not reach a retry', async (t) => {
  const { bestow, seen } = await clientOf(t, [drop, placed]);
  const mine = structuredClone(body);
  const call = bestow.orders.create(mine);
  mine.gifts.length = 0;
  await call;
  assert.equal(seen[1]?.body, JSON.stringify(body));
  await bestow.orders.create(body);
  assert.notEqual(seen[2]?.idempotencyKey, seen[0]?.idempotencyKey);
});

test('a key or an address that cannot be sent is refused at once and nothing is sent', async (t) => {
  const { bestow, seen, baseUrl } = await clientOf(t, [placed]);
  await assert.rejects(bestow.orders.create(body, { idempotencyKey: 'line\nbreak' }), TypeError);
  assert.equal(seen.length, 0);
  for (const wrong of [
    '',
    'ftp://localhost',
    'localhost:3000',
    'http://user@localhost',
    `${baseUrl}?a=b`,
    `${baseUrl}#c`,
  ])
    assert.throws(() => new Bestow('key', { baseUrl: wrong }), TypeError, wrong);
  await new Bestow('key', { baseUrl: `${baseUrl}/below/` }).orders.retrieve('../x?y');
  assert.equal(seen[0]?.url, '/below/v1/orders/..%2Fx%3Fy');
});

test('the hand-written runtime has at most 300 lines, no import but its own and nothing of Node', () => {
  const files = globSync('sdk/src/*.ts').filter((path) => !path.endsWith('schema.d.ts'));
  const texts = files.map((path) => readFileSync(path, 'utf8'));
  const lines = texts.reduce((sum, text) => sum + text.trimEnd().split('\n').length, 0);
  assert.ok(files.length > 3 && lines <= 300, `${lines} lines`);
  for (const text of texts) {
    assert.doesNotMatch(text, /from '(?!\.\/)|\bprocess\.|\bBuffer\b|\brequire\(/);
  }
});
