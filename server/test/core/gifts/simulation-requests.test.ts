import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const UNKNOWN = 'gift_01k0fxw4mzejhtt6k1sqh3p5cg';

test('deliver takes no body, an empty one or an outcome; the default is delivered', async () => {
  const { sandbox } = await service.organization();
  const json = { 'Content-Type': 'application/json' };
  const accepted: [body: unknown, headers: Record<string, string>, status: string][] = [
    [undefined, {}, 'sent'],
    [undefined, json, 'sent'],
    ['', json, 'sent'],
    ['{}', {}, 'sent'],
    [{ outcome: 'delivered' }, json, 'sent'],
    [{ outcome: 'failed' }, { 'Content-Type': 'text/plain' }, 'failed'],
  ];
  for (const [body, headers, status] of accepted) {
    const placed = await sandbox.order([gift()]);
    const [{ gift_id }] = placed.body.gifts;
    const answer = await sandbox.post(`/v1/sandbox/gifts/${gift_id}/deliver`, body, headers);
    assert.deepEqual([answer.status, answer.body.delivery.status], [200, status], JSON.stringify(body));
    // A failed delivery can be failed again, a delivered one cannot.
    const again = await sandbox.post(`/v1/sandbox/gifts/${gift_id}/deliver`, { outcome: 'failed' });
    if (status === 'failed') assert.deepEqual([again.status, again.body], [200, answer.body]);
    else assertError(again, 'gift_already_delivered');
  }
});

test('deliver refuses an invalid body and settles nothing', async () => {
  const { sandbox } = await service.organization();
  const placed = await sandbox.order([gift()]);
  const path = `/v1/sandbox/gifts/${placed.body.gifts[0].gift_id}/deliver`;
  const refused: [body: unknown, param: string][] = [
    [{ outcome: 'bounced' }, 'outcome'],
    [{ outcome: 'Failed' }, 'outcome'],
    [{ outcome: ['failed'] }, 'outcome'],
    [{ result: 'failed' }, 'result'],
    [{ outcome: 'failed', more: 1 }, 'more'],
    [[], 'body'],
    ['"failed"', 'body'],
    ['1', 'body'],
  ];
  for (const [body, param] of refused) assertError(await sandbox.post(path, body), 'parameter_invalid', param);
  assertError(await sandbox.post(path, '{"outcome":'), 'request_body_invalid');
  assertError(await sandbox.post(path, 'x'.repeat(1_048_577)), 'request_body_too_large');
  const failed = await sandbox.post(path, { outcome: 'failed' });
  assert.deepEqual([failed.status, failed.body.delivery.status], [200, 'failed']);
});

test('the body is checked before the gift, and the gift before its state', async () => {
  const { sandbox } = await service.organization();
  const path = `/v1/sandbox/gifts/${UNKNOWN}/deliver`;
  assertError(await sandbox.post(path, { outcome: 'lost' }), 'parameter_invalid', 'outcome');
  assertError(await sandbox.post(path, { outcome: 'failed' }), 'resource_missing');
  const placed = await sandbox.order([linkGift()]);
  const link = `/v1/sandbox/gifts/${placed.body.gifts[0].gift_id}/deliver`;
  assertError(await sandbox.post(link, { outcome: 'lost' }), 'parameter_invalid', 'outcome');
  assertError(await sandbox.post(link), 'gift_delivery_not_simulatable');
});

test('open, claim, spend and reset ignore any body up to 1 MB', async () => {
  const { sandbox } = await service.organization();
  const placed = await sandbox.order([emailGift('delivered')]);
  const paths = ['open', 'claim', 'spend'].map((act) => `/v1/sandbox/gifts/${placed.body.gifts[0].gift_id}/${act}`);
  for (const path of [...paths, '/v1/sandbox/reset']) {
    assertError(await sandbox.post(path, 'x'.repeat(1_048_577)), 'request_body_too_large');
    const answer = await sandbox.post(path, '{"broken', { 'Content-Type': 'application/json' });
    assert.equal(answer.status, 200, path);
  }
});

test('sandbox endpoints refuse a live key before checking the body or the gift', async () => {
  const { live, sandbox } = await service.organization();
  const placed = await live.order([gift()]);
  const [bought] = placed.body.gifts;
  for (const id of [bought.gift_id, UNKNOWN, 'nonsense'])
    for (const act of ['deliver', 'open', 'claim', 'spend']) {
      assertError(await live.post(`/v1/sandbox/gifts/${id}/${act}`, '{"broken'), 'sandbox_endpoint_only');
      // The organization's sandbox key does not reach a live gift.
      assertError(await sandbox.post(`/v1/sandbox/gifts/${id}/${act}`), 'resource_missing');
    }
  assertError(await live.post('/v1/sandbox/reset'), 'sandbox_endpoint_only');
  assert.deepEqual((await live.get(`/v1/gifts/${bought.gift_id}`)).body, bought);
});
