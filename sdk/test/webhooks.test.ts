import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { createSecret, sign } from '../../server/src/platform/base/webhook-signature.ts';
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts';

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
