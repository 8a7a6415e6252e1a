import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { catalogue, errorCodes } from '../../server/src/platform/base/errors.ts';
import { body, clientOf, errorStep, order, placed, thrownBy } from '../../server/test/harness/scripted-client.ts';
import { drop, html, json, type Step, truncate } from '../../server/test/harness/scripted-server.ts';
import {
  ApiError,
  AuthenticationError,
  BestowError,
  ConnectionError,
  InsufficientBalanceError,
  InvalidRequestError,
  RateLimitError,
  ServiceError,
} from '../src/index.ts';

// What the client retries, against a scripted server. Pauses are recorded, not waited for.

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
    test(`${code} (retry class yes) is retried with the same key until it succeeds`, async (t) => {
      const { bestow, seen, pauses } = await clientOf(t, [errorStep(code), errorStep(code), placed]);
      assert.deepEqual(await bestow.orders.create(body), order);
      assert.equal(seen.length, 3);
      assert.equal(pauses.length, 2);
      assert.equal(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
      assert.equal(new Set(seen.map((request) => request.body)).size, 1);
    });
  else
    test(`${code} (${retry}) is not retried; the error carries the whole answer`, async (t) => {
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

const refused = { type: 'insufficient_balance_error', code: 'insufficient_balance', message: 'm', request_id: 'r' };
const withoutAnswer: [name: string, step: Step][] = [
  ['a dropped connection', drop],
  ['an answer that is cut off', truncate],
  ['an HTML 502', html(502)],
  ['an HTML 200', html(200)],
  ['an error object in a 200', json(200, { error: refused })],
  ['a 504 without a body', (response) => response.writeHead(504).end()],
  ['JSON without an error object', json(503, { message: 'upstream' })],
  ['JSON null', json(200, null)],
  ['JSON of a gateway that says 200', json(200, { message: 'We will be right back', order_id: null, object: 'page' })],
  ['an error without its id', json(500, { error: { type: 'toString', code: 'x' } })],
];
for (const [name, step] of withoutAnswer)
  test(`${name}: orders are retried with the same key, and so are safe calls`, async (t) => {
    const answer = { ...order, gift_id: 'gift_1' };
    const { bestow, seen } = await clientOf(t, [step, step, json(200, answer)]);
    assert.deepEqual(await bestow.orders.create(body, { idempotencyKey: 'mine' }), answer);
    assert.deepEqual(
      seen.map(({ idempotencyKey }) => idempotencyKey),
      ['mine', 'mine', 'mine'],
    );
    const { sandbox, orders, gifts } = bestow;
    const redirect = () => gifts.redirect('gift_1', { method: 'phone', phone: '+12025550100' });
    for (const call of [() => orders.retrieve('ord_1'), redirect, () => sandbox.open('gift_1')]) {
      seen.length = 0;
      await call();
      assert.equal(seen.length, 3);
    }
    for (const call of [() => sandbox.deliver('gift_1'), () => sandbox.claim('gift_1'), () => sandbox.reset()]) {
      seen.length = 0;
      const error = await thrownBy(call());
      assert.ok(error instanceof ConnectionError);
      assert.deepEqual([error.outcomeUnknown, error.idempotencyKey], [true, undefined]);
      assert.equal(seen.length, 1);
    }
  });

test('a cancellation sends its reason, and is retried when no answer comes', async (t) => {
  const canceled = { gift_id: 'gift_1', cancellation: { reason: 'Ordered twice' } };
  const { bestow, seen } = await clientOf(t, [drop, json(200, canceled), html(502), placed, placed]);
  assert.deepEqual(await bestow.gifts.cancel('gift_1', { reason: 'Ordered twice' }), canceled);
  assert.deepEqual(await bestow.orders.cancel('ord_1'), order);
  const cancelsOf = (path: string, sent: string) => [`POST ${path}/cancel`, sent];
  assert.deepEqual(
    seen.map(({ method, url, body: sent }) => [`${method} ${url}`, sent]),
    [
      ...[1, 2].map(() => cancelsOf('/v1/gifts/gift_1', '{"reason":"Ordered twice"}')),
      ...[1, 2].map(() => cancelsOf('/v1/orders/ord_1', '{}')),
    ],
  );
});

test('a new link and a resend are retried with the same key', async (t) => {
  const gift = { gift_id: 'gift_1' };
  const { bestow, seen } = await clientOf(t, [
    drop,
    json(200, gift),
    html(502),
    json(200, gift),
    drop,
    json(200, gift),
  ]);
  assert.deepEqual(await bestow.gifts.replaceLink('gift_1'), gift);
  assert.deepEqual(await bestow.gifts.resend('gift_1'), gift);
  await bestow.gifts.resend('gift_1', { idempotencyKey: 'mine' });
  const keys = seen.map(({ idempotencyKey }) => idempotencyKey);
  assert.deepEqual(
    seen.map(({ url }) => url.split('/').at(-1)),
    ['link', 'link', 'resend', 'resend', 'resend', 'resend'],
  );
  assert.match(keys[0] ?? '', /^[0-9a-f-]{36}$/);
  assert.deepEqual(keys, [keys[0], keys[0], keys[2], keys[2], 'mine', 'mine']);
  assert.notEqual(keys[0], keys[2]);
});

test('a refused cancellation is an error with its code, and is not retried', async (t) => {
  const { bestow, seen } = await clientOf(t, [errorStep('gift_already_redeemed'), placed]);
  const error = await thrownBy(bestow.gifts.cancel('gift_1'));
  assert.ok(error instanceof InvalidRequestError);
  assert.deepEqual([error.code, error.outcomeUnknown, seen.length], ['gift_already_redeemed', false, 1]);
});

test('an answer of the wrong kind does not count, with any status', async (t) => {
  const list = json(200, { object: 'list', data: [], has_more: false });
  const { bestow, seen } = await clientOf(t, [placed, list, json(200, order)]);
  assert.deepEqual((await bestow.orders.list().page()).data, []);
  assert.equal(seen.length, 2);
  seen.length = 1;
  assert.deepEqual(await bestow.orders.retrieve('ord_1'), order);
  assert.equal(seen.length, 3);
});

test('an error of a later type is an ApiError, also one with the name of a function', async (t) => {
  for (const type of ['later_error', 'toString']) {
    const { bestow, seen } = await clientOf(t, [
      json(422, { error: { type, code: 'later', message: 'm', request_id: 'r' } }),
    ]);
    const error = await thrownBy(bestow.orders.create(body));
    assert.ok(error instanceof ApiError && !(error instanceof InvalidRequestError));
    assert.deepEqual([error.type, error.code, error.outcomeUnknown, seen.length], [type, 'later', false, 1]);
  }
});

for (const type of ['rate_limit_error', 'api_error'])
  test(`an unknown code of ${type} is retried if it has Retry-After`, async (t) => {
    const error = { type, code: 'moon_in_the_way', message: 'm', request_id: 'r' };
    const { bestow, seen } = await clientOf(t, [
      json(503, { error }, { 'Retry-After': '1' }),
      placed,
      json(503, { error }),
      placed,
    ]);
    assert.deepEqual(await bestow.orders.create(body), order);
    const thrown = await thrownBy(bestow.orders.create(body));
    assert.ok(thrown instanceof ApiError && !thrown.retryable && !thrown.outcomeUnknown);
    assert.equal(seen.length, 3);
  });

test('an error of an unknown type is retried by its status', async (t) => {
  for (const [status, attempts] of [
    [503, 2],
    [500, 2],
    [429, 2],
    [409, 1],
    [422, 1],
  ] as const) {
    const error = { type: 'weather_error', code: 'moon_in_the_way', message: 'm', request_id: 'r' };
    const { bestow, seen } = await clientOf(t, [json(status, { error }), placed]);
    const thrown = await bestow.orders.create(body).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.deepEqual([seen.length, thrown instanceof ApiError], [attempts, attempts === 1], `${status}`);
  }
});

test('a retryable error is retried for every kind of call', async (t) => {
  const { bestow, seen } = await clientOf(t, [errorStep('resource_locked'), json(200, { object: 'sandbox_reset' })]);
  await bestow.sandbox.reset();
  assert.equal(seen.length, 2);
});

test('after an attempt without an answer, an error leaves the outcome unknown', async (t) => {
  const { bestow } = await clientOf(t, [drop, errorStep('insufficient_balance')]);
  const error = await thrownBy(bestow.orders.create(body));
  assert.ok(error instanceof InsufficientBalanceError && error.outcomeUnknown);
});

test('each order has its own key; later changes of the body do not reach a retry', async (t) => {
  const { bestow, seen } = await clientOf(t, [drop, placed]);
  const mine = structuredClone(body);
  const call = bestow.orders.create(mine);
  mine.gifts.length = 0;
  await call;
  assert.equal(seen[1]?.body, JSON.stringify(body));
  await bestow.orders.create(body);
  assert.notEqual(seen[2]?.idempotencyKey, seen[0]?.idempotencyKey);
});

// The last 272 lines are the store of orders (210), the limit of answers, the message of a proxy’s 407, types without
// `dom`, the time of a pushed event, and the refusal of an address with /v1.
test('the runtime has at most 1,791 lines by hand, and only the folder’s store imports from outside', () => {
  const files = globSync('sdk/src/*.ts');
  const texts = files.filter((path) => !path.endsWith('schema.d.ts')).map((path) => readFileSync(path, 'utf8'));
  const written = texts.filter((text) => !text.startsWith('// Generated'));
  const lines = written.reduce((sum, text) => sum + text.trimEnd().split('\n').length, 0);
  assert.ok(written.length > 3 && lines <= 1791, `${lines} lines`);
  for (const text of texts.filter((one) => !one.includes('class FolderStore '))) {
    assert.doesNotMatch(text, /from '(?!\.\/)|\bprocess\.|\bBuffer\b|\brequire\(/);
  }
});
