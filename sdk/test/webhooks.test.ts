import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { createSecret, sign } from '../../server/src/platform/base/webhook-signature.ts';
import { signTestWebhook, verifyWebhook, WebhookVerificationError } from '../src/index.ts';

// The published vector of Standard Webhooks.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const SECONDS = 1_614_265_330;
const BODY = '{"test": 2432232314}';
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const headers = (more: Record<string, string> = {}) => ({
  'webhook-id': ID,
  'webhook-timestamp': String(SECONDS),
  'webhook-signature': SIGNATURE,
  ...more,
});

const at = (seconds: number) => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['Date'], now: seconds * 1_000 });
};
afterEach(() => mock.timers.reset());
const isRefused = (error: unknown) => error instanceof WebhookVerificationError;

test('the published vector is signed and verified', async () => {
  at(SECONDS);
  assert.equal(sign([SECRET], ID, SECONDS, BODY), SIGNATURE);
  for (const given of [headers(), new Headers(headers())])
    assert.deepEqual(await verifyWebhook(BODY, given, SECRET), { test: 2432232314 });
  assert.deepEqual(await verifyWebhook(Buffer.from(BODY), headers(), SECRET), { test: 2432232314 });
});

test('one of several signatures is enough', async () => {
  at(SECONDS);
  const many = headers({ 'webhook-signature': sign([createSecret(), SECRET], ID, SECONDS, BODY) });
  assert.deepEqual(await verifyWebhook(BODY, many, SECRET), { test: 2432232314 });
});

test('refuses another body, id, secret, a broken signature and a missing header', async () => {
  at(SECONDS);
  await assert.rejects(verifyWebhook(`${BODY} `, headers(), SECRET), isRefused);
  await assert.rejects(verifyWebhook(BODY, headers(), createSecret()), isRefused);
  await assert.rejects(verifyWebhook(BODY, headers(), 'whsec_!'), isRefused);
  for (const more of [
    { 'webhook-id': 'msg_1' },
    { 'webhook-timestamp': '1614265331' },
    { 'webhook-timestamp': 'now' },
    { 'webhook-signature': 'v1,!' },
    { 'webhook-signature': SIGNATURE.replace('v1,', 'v2,') },
    { 'webhook-signature': '' },
  ])
    await assert.rejects(verifyWebhook(BODY, headers(more), SECRET), isRefused, JSON.stringify(more));
});

test('refuses a request that is more than five minutes old or early', async () => {
  for (const [seconds, isAccepted] of [
    [SECONDS + 300, true],
    [SECONDS + 301, false],
    [SECONDS - 300, true],
    [SECONDS - 301, false],
  ] as const) {
    at(seconds);
    const verified = verifyWebhook(BODY, headers(), SECRET);
    if (isAccepted) await verified;
    else await assert.rejects(verified, isRefused);
  }
});

test('headers are found in any case, and as lists of one', async () => {
  at(SECONDS);
  const capitals = { 'Webhook-Id': ID, 'WEBHOOK-TIMESTAMP': [String(SECONDS)], 'Webhook-Signature': [SIGNATURE] };
  assert.deepEqual(await verifyWebhook(BODY, capitals, `${SECRET}\n`), { test: 2432232314 });
  await assert.rejects(verifyWebhook(BODY, headers({ 'webhook-id': [ID, ID] as never }), SECRET), /more than once/);
});

test('says the commonest mistakes', async () => {
  at(SECONDS);
  for (const [body, given, secret, words] of [
    [{ test: 2432232314 }, headers(), SECRET, /already parsed.*express\.raw/],
    [undefined, headers(), SECRET, /already parsed/],
    [BODY, headers(), undefined, /secret of the endpoint is missing/],
    [BODY, headers(), '  ', /secret of the endpoint is missing/],
    [BODY, headers(), 'bestow-sandbox-key', /not one of a webhook endpoint/],
    [BODY, undefined, SECRET, /headers of the request are missing/],
    [BODY, Object.entries(headers()).flat(), SECRET, /headers are a list/],
    [BODY, {}, SECRET, /no header webhook-id. Does a proxy/],
    [btoa(BODY), headers(), SECRET, /Base64, as API Gateway/],
    [JSON.stringify(JSON.parse(BODY)), headers(), SECRET, /body was changed. Pass the body as it was received/],
  ] as const)
    await assert.rejects(verifyWebhook(body as string, given as never, secret as string), {
      name: 'WebhookVerificationError',
      message: words,
    });
});

test('a test push of your own is verified, also by others, until it is old', async () => {
  at(SECONDS);
  const known = { id: ID, timestamp: new Date(SECONDS * 1_000) };
  assert.deepEqual(await signTestWebhook(BODY, SECRET, known), headers());
  const timestamp = '2026-11-30T08:00:00.000Z';
  const body = JSON.stringify({ type: 'gift.claimed', timestamp, data: { gift_id: 'gift_1' } });
  const signed = await signTestWebhook(body, SECRET);
  const event = await verifyWebhook(body, signed, SECRET);
  assert.deepEqual([event.type, event.data.gift_id], ['gift.claimed', 'gift_1']);
  assert.deepEqual([event.timestamp, event.created_at], [timestamp, timestamp]);
  const old = await signTestWebhook(body, SECRET, { timestamp: new Date((SECONDS - 400) * 1_000) });
  await assert.rejects(verifyWebhook(body, old, SECRET), /five minutes/);
});
