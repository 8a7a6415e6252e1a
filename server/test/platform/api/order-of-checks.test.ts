import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// The error of a request that breaks two rules (docs/decisions.md#order-of-checks, 1 to 7).

const service = openForFile(() => startTestService());

const TOO_LARGE = ' '.repeat(1_048_577);
const KEY = { 'Idempotency-Key': 'order-of-checks' };
const UNKNOWN_GIFT = '/v1/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg';
const UNKNOWN_SANDBOX_GIFT = '/v1/sandbox/gifts/gift_01k0fxw4mzejhtt6k1sqh3p5cg';

// 2.
test('an unknown path is 404 without a key and before the body', async () => {
  for (const path of [
    '/v2/orders',
    '/v1',
    '/v1/',
    '/v1/order',
    '/v1/orders/a/b',
    '/V1/orders',
    '/v1/sandbox/gifts/x',
  ]) {
    const answer = await service.api().post(path, 'not JSON');
    assertRefused(answer, 'resource_missing');
    assert.equal(answer.headers.get('allow'), null, path);
  }
  assertRefused(await service.api('bad key').post('/v1/nothing', TOO_LARGE), 'resource_missing');
});

test('a wrong method of a known path is 404 with an Allow header', async () => {
  const allowed = {
    '/v1/orders': 'GET, HEAD, POST',
    '/v1/orders/x': 'GET, HEAD',
    '/v1/gifts': 'GET, HEAD',
    '/v1/gifts/x': 'GET, HEAD',
    '/v1/gifts/x/delivery': 'PUT',
    '/v1/categories': 'GET, HEAD',
    '/v1/sandbox/reset': 'POST',
    '/v1/sandbox/gifts/x/deliver': 'POST',
    '/v1/sandbox/gifts/x/claim': 'POST',
    '/v1/health': 'GET, HEAD',
    '/v1/openapi.json': 'GET, HEAD',
  };
  for (const [path, allow] of Object.entries(allowed))
    for (const method of ['DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await service.api().request(method, path, { body: method === 'OPTIONS' ? undefined : '{' });
      assertRefused(answer, 'resource_missing');
      assert.equal(answer.headers.get('allow'), allow, `${method} ${path}`);
    }
});

test('an empty id is an unknown path and needs no key', async () => {
  for (const [method, path] of [
    ['GET', '/v1/orders/'],
    ['GET', '/v1/gifts/'],
    ['PUT', '/v1/gifts//delivery'],
    ['POST', '/v1/sandbox/gifts//claim'],
  ] as const)
    assertRefused(await service.api().request(method, path), 'resource_missing');
});

// 4.
test('a 401 comes before the body, the header, the query and the id', async () => {
  const anonymous = service.api();
  assertRefused(await anonymous.post('/v1/orders', 'not JSON'), 'api_key_missing');
  assertRefused(await anonymous.post('/v1/orders', TOO_LARGE), 'api_key_missing');
  assertRefused(await anonymous.get('/v1/orders?limit=0'), 'api_key_missing');
  assertRefused(await anonymous.get('/v1/orders/%00'), 'api_key_missing');
  assertRefused(await service.api('bad').post('/v1/sandbox/reset', TOO_LARGE), 'api_key_invalid');
});

test('organization_suspended comes before the two sandbox errors', async () => {
  const { organizationId, live, sandbox } = await service.organization();
  await deleteSandbox(service.service.deps, { organizationId, actor: OPERATOR });
  assertRefused(await sandbox.post('/v1/sandbox/reset'), 'sandbox_missing');
  assertRefused(await live.post('/v1/sandbox/reset'), 'sandbox_endpoint_only');
  await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  assertRefused(await sandbox.post('/v1/sandbox/reset'), 'organization_suspended');
  assertRefused(await live.post('/v1/sandbox/reset'), 'organization_suspended');
});

test('a revoked key comes before the wrong environment, then the suspension', async () => {
  const { organizationId, organizationUuid, keys, live } = await service.organization();
  const liveOnly = await service.second({ SERVE_ENVIRONMENTS: 'live' });
  const misdirected = () => liveOnly.api(keys.sandbox).get('/v1/orders');
  await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  assertRefused(await misdirected(), 'api_key_environment_mismatch');
  assertRefused(await live.get('/v1/orders'), 'organization_suspended');
  await service.sql('update api_keys set revoked_at = now() where organization_id = $1', [organizationUuid]);
  assertRefused(await misdirected(), 'api_key_revoked');
  assertRefused(await live.get('/v1/orders'), 'api_key_revoked');
  await liveOnly.close();
});

test('403 and sandbox_missing come before the body and before the resource of the path', async () => {
  const { organizationId, live, sandbox } = await service.organization();
  await deleteSandbox(service.service.deps, { organizationId, actor: OPERATOR });
  for (const body of ['not JSON', TOO_LARGE, { outcome: 'lost' }]) {
    assertRefused(await live.post(`${UNKNOWN_SANDBOX_GIFT}/deliver`, body), 'sandbox_endpoint_only');
    assertRefused(await sandbox.post(`${UNKNOWN_SANDBOX_GIFT}/deliver`, body), 'sandbox_missing');
    assertRefused(await sandbox.post('/v1/orders', body), 'sandbox_missing');
  }
});

// 5.
test('a body over the limit is 413 before JSON and header errors', async () => {
  const { live } = await service.organization();
  assertRefused(await live.post('/v1/orders', TOO_LARGE), 'request_body_too_large');
  assertRefused(await live.put(`${UNKNOWN_GIFT}/delivery`, TOO_LARGE), 'request_body_too_large');
});

test('an invalid or missing body comes before a missing header', async () => {
  const { live } = await service.organization();
  for (const body of ['not JSON', '', '{"gifts":', '[1,]', "{'gifts':[]}", 'undefined', 'NaN', '{} {}'])
    assertRefused(await live.post('/v1/orders', body), 'request_body_invalid');
  assertRefused(await live.request('POST', '/v1/orders'), 'request_body_invalid');
});

test('an invalid or missing body comes before an unknown resource', async () => {
  const { live, sandbox } = await service.organization();
  for (const body of ['not JSON', '']) {
    assertRefused(await live.put(`${UNKNOWN_GIFT}/delivery`, body), 'request_body_invalid');
    assertRefused(await live.put('/v1/gifts/x/delivery', body), 'request_body_invalid');
  }
  assertRefused(await sandbox.post(`${UNKNOWN_SANDBOX_GIFT}/deliver`, 'x'), 'request_body_invalid');
});

// 6.
test('the Idempotency-Key comes before everything in the body', async () => {
  const { live } = await service.organization();
  for (const body of [{}, [], null, { gifts: [] }, { gifts: [gift({ amount: 1 })] }])
    assertRefused(await live.post('/v1/orders', body), 'parameter_invalid', 'Idempotency-Key');
});

test('the shape of a body comes before the resource of the path', async () => {
  const { live, sandbox } = await service.organization();
  for (const id of [UNKNOWN_GIFT, '/v1/gifts/x'])
    assertRefused(await live.put(`${id}/delivery`, { method: 'link' }), 'parameter_invalid', 'method');
  const wrongOutcome = await sandbox.post(`${UNKNOWN_SANDBOX_GIFT}/deliver`, { outcome: 'lost' });
  assertRefused(wrongOutcome, 'parameter_invalid', 'outcome');
});

test('wrong limit comes before starting_after, then ending_before', async () => {
  const { live } = await service.organization();
  const wrong = [
    ['ending_before=%25&starting_after=%25&limit=0', 'limit'],
    ['ending_before=%25&starting_after=%25', 'starting_after'],
    ['ending_before=%25&starting_after=a', 'ending_before'],
    ['starting_after=&limit=0', 'limit'],
    // A cursor of nothing would be `cursor_invalid`.
    ['starting_after=ord_01k0fxw4mze6hv3tqx4d5s8r2n&limit=101', 'limit'],
  ];
  for (const [query, param] of wrong) assertRefused(await live.get(`/v1/orders?${query}`), 'parameter_invalid', param);
});

// 7.
test('a foreign gift is 404 before its state is looked at', async () => {
  const { sandbox } = await service.organization();
  const other = await service.organization();
  const { body: order } = await sandbox.order([linkGift()]);
  const { gift_id } = order.gifts[0];
  assertRefused(await sandbox.post(`/v1/sandbox/gifts/${gift_id}/spend`), 'gift_not_claimed');
  assertRefused(await other.sandbox.post(`/v1/sandbox/gifts/${gift_id}/spend`), 'resource_missing');
  const address = { method: 'email', email: 'someone@example.com' };
  assertRefused(await sandbox.put(`/v1/gifts/${gift_id}/delivery`, address), 'gift_delivery_not_updatable');
  assertRefused(await other.sandbox.put(`/v1/gifts/${gift_id}/delivery`, address), 'resource_missing');
});

// The body decides, not its content type.
test('every content type is accepted, also none or an invalid one', async () => {
  const { sandbox } = await service.organization();
  const body = new TextEncoder().encode(JSON.stringify({ gifts: [linkGift()] }));
  const types = [
    'text/plain',
    '///',
    'application/xml',
    'multipart/form-data',
    'application/json; charset=latin1',
    ';',
  ];
  for (const type of types) {
    const answer = await sandbox.post('/v1/orders', body, { 'Idempotency-Key': type, 'Content-Type': type });
    assert.equal(answer.status, 201, type);
  }
  assert.equal((await sandbox.post('/v1/orders', body, KEY)).status, 201);
});

test('an optional body may be empty, also with the JSON content type', async () => {
  const { sandbox } = await service.organization();
  const headers = { 'Content-Type': 'application/json' };
  for (const send of [
    (path: string) => sandbox.post(path),
    (path: string) => sandbox.post(path, '', headers),
    (path: string) => sandbox.post(path, undefined, headers),
    (path: string) => sandbox.post(path, {}),
  ]) {
    const { body: order } = await sandbox.order([gift()]);
    assert.equal((await send(`/v1/sandbox/gifts/${order.gifts[0].gift_id}/deliver`)).status, 200);
  }
});

test('an operation without a body ignores any body', async () => {
  const { sandbox } = await service.organization();
  for (const body of ['not JSON', '{"unknown":1}', '', 'ÿ', '['.repeat(200_000)]) {
    const { body: order } = await sandbox.order([linkGift()]);
    const path = `/v1/sandbox/gifts/${order.gifts[0].gift_id}`;
    for (const act of ['open', 'claim', 'spend'])
      assert.equal((await sandbox.post(`${path}/${act}`, body)).status, 200, `${act} ${body.slice(0, 20)}`);
  }
  assert.equal((await sandbox.post('/v1/sandbox/reset', 'not JSON')).status, 200);
});

test('an operation without a body refuses a body over the limit', async () => {
  const { sandbox } = await service.organization();
  await sandbox.order([linkGift()]);
  assertRefused(await sandbox.post('/v1/sandbox/reset', TOO_LARGE), 'request_body_too_large');
  assert.equal((await sandbox.get('/v1/orders')).body.data.length, 1);
});
