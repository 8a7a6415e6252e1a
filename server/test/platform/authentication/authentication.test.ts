import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import { importKey } from '../../../src/core/keys/import-key.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { reinstateOrganization } from '../../../src/core/organizations/reinstate-organization.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { createSandbox } from '../../../src/core/sandbox/create-sandbox.ts';
import { hashKey } from '../../../src/platform/authentication/key-format.ts';
import { linkGift } from '../../harness/api-client.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const liveOnly = openForFile(() => service.second({ SERVE_ENVIRONMENTS: 'live' }));
const sandboxOnly = openForFile(() => service.second({ SERVE_ENVIRONMENTS: 'sandbox' }));

const withHeader = (authorization: string) => service.api().get('/v1/orders', { Authorization: authorization });

test('every operation needs a key, except two that ignore it', async () => {
  const { body: document } = await service.api().get('/v1/openapi.json');
  const publicOperations = [];
  let operations = 0;
  for (const [path, methods] of Object.entries<Record<string, object>>(document.paths))
    for (const method of Object.keys(methods)) {
      operations += 1;
      const answer = await service.api().request(method.toUpperCase(), path.replace(/\{\w+\}/g, 'x'));
      if (answer.status === 200) publicOperations.push(`${method} ${path}`);
      else assertRefused(answer, 'api_key_missing');
    }
  assert.deepEqual(publicOperations.sort(), ['get /v1/health', 'get /v1/openapi.json']);
  assert.equal(operations, 40);
  assert.equal((await service.api('bad').get('/v1/health')).status, 200);
});

test('no header, another scheme or an empty token is api_key_missing', async () => {
  const { keys } = await service.organization();
  assertRefused(await service.api().get('/v1/orders'), 'api_key_missing');
  const headers = ['', 'Bearer', 'Bearer ', 'bearer    ', `Basic ${keys.live}`, `Token ${keys.live}`, keys.live];
  for (const header of headers) assertRefused(await withHeader(header), 'api_key_missing');
});

test('the scheme is case-insensitive, the key is case-sensitive', async () => {
  const { keys } = await service.organization();
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  '])
    assert.equal((await withHeader(`${scheme} ${keys.live}`)).status, 200, scheme);
  assertRefused(await withHeader(`Bearer ${keys.live.toUpperCase()}`), 'api_key_invalid');
});

test('a key that was never issued is api_key_invalid', async () => {
  const { keys } = await service.organization();
  const lastChanged = keys.live.slice(0, -1) + (keys.live.endsWith('a') ? 'b' : 'a');
  const neverIssued = [
    'x',
    'bestow-',
    'sk_',
    'sk_12345678',
    `sk_${'a'.repeat(10_000)}`,
    lastChanged,
    keys.live.slice(0, -1),
    `${keys.live}a`,
    keys.sandbox.replace('sandbox-', ''),
    keys.live.replace('bestow-', 'bestow-sandbox-'),
    '%00',
    `'or''='`,
    'ÿþ',
    `Bearer ${keys.live}`,
    `${keys.live} x`,
    `${keys.live} ${keys.live}`,
    `x ${keys.live}`,
  ];
  for (const key of neverIssued) assertRefused(await withHeader(`Bearer ${key}`), 'api_key_invalid');
});

test('an imported sk_ key of any length opens the environment of its record', async () => {
  const { organizationId, live, sandbox } = await service.organization();
  const { deps } = service.service;
  const named = { organizationId, name: 'older' };
  const liveKey = `sk_sandbox_${organizationId}`;
  const sandboxKey = `sk_live_${organizationId}`.padEnd(253, '~');
  await importKey(deps, { ...named, environment: 'live', key: liveKey, actor: OPERATOR });
  await importKey(deps, { ...named, environment: 'sandbox', key: sandboxKey, actor: OPERATOR });
  await live.order([linkGift()]);
  await sandbox.order([linkGift(), linkGift()]);
  await sandbox.order([linkGift()]);
  assert.equal((await service.api(liveKey).get('/v1/orders')).body.data.length, 1);
  assert.equal((await service.api(sandboxKey).get('/v1/orders')).body.data.length, 2);
  assertRefused(await liveOnly.api(sandboxKey).get('/v1/orders'), 'api_key_environment_mismatch');
  assertRefused(await sandboxOnly.api(liveKey).get('/v1/orders'), 'api_key_environment_mismatch');
});

test('a process that serves one environment refuses keys of the other', async () => {
  const { keys } = await service.organization();
  assert.equal((await liveOnly.api(keys.live).get('/v1/orders')).status, 200);
  assert.equal((await sandboxOnly.api(keys.sandbox).get('/v1/orders')).status, 200);
  assertRefused(await liveOnly.api(keys.sandbox).get('/v1/orders'), 'api_key_environment_mismatch');
  assertRefused(await sandboxOnly.api(keys.live).get('/v1/orders'), 'api_key_environment_mismatch');
});

test('a key whose prefix contradicts its record is refused', async () => {
  const { keys, organizationUuid } = await service.organization();
  await service.sql(
    `update api_keys set environment = (case environment when 'live' then 'sandbox' else 'live' end)::environment
     where organization_id = $1`,
    [organizationUuid],
  );
  assertRefused(await service.api(keys.live).get('/v1/orders'), 'api_key_environment_mismatch');
  assertRefused(await service.api(keys.sandbox).get('/v1/orders'), 'api_key_environment_mismatch');
});

test('a key revoked by one process is refused by another process at once', async () => {
  const { organizationId, keys, newKey } = await service.organization();
  const neighbour = await newKey('live');
  assert.equal((await liveOnly.api(keys.live).get('/v1/orders')).status, 200);
  await revokeKey(service.service.deps, { organizationId, keyId: await keyIdOf(service, keys.live), actor: OPERATOR });
  assertRefused(await liveOnly.api(keys.live).get('/v1/orders'), 'api_key_revoked');
  assertRefused(await service.api(keys.live).get('/v1/orders'), 'api_key_revoked');
  assert.equal((await liveOnly.api(neighbour).get('/v1/orders')).status, 200);
});

test('all keys of a suspended organization are refused until reinstatement', async () => {
  const { organizationId, live, sandbox } = await service.organization();
  await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  assertRefused(await live.get('/v1/categories'), 'organization_suspended');
  assertRefused(await sandbox.order([linkGift()]), 'organization_suspended');
  await reinstateOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  assert.equal((await live.get('/v1/categories')).status, 200);
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, []);
});

test('sandbox keys are sandbox_missing until the sandbox is created again', async () => {
  const { organizationId, sandbox, live, newKey } = await service.organization();
  await deleteSandbox(service.service.deps, { organizationId, actor: OPERATOR });
  const newer = service.api(await newKey('sandbox'));
  for (const path of ['/v1/orders', '/v1/gifts', '/v1/categories', '/v1/gifts/x'])
    assertRefused(await sandbox.get(path), 'sandbox_missing');
  assertRefused(await newer.post('/v1/sandbox/reset'), 'sandbox_missing');
  assertRefused(await newer.order([linkGift()]), 'sandbox_missing');
  assert.equal((await live.order([linkGift()])).status, 201);
  await createSandbox(service.service.deps, { organizationId, actor: OPERATOR });
  assert.equal((await sandbox.get('/v1/orders')).status, 200);
  assert.equal((await newer.post('/v1/sandbox/reset')).status, 200);
});

/** Lets uses be recorded, which happens every five seconds. */
async function flushUses(): Promise<void> {
  await service.clock.jump(5_000);
  await service.clock.advance(1);
}

test('the last use of a key is recorded to the minute, in the background', async () => {
  const { live, keys } = await service.organization();
  const lastUsed = async () => {
    const text = 'select last_used_at from api_keys where hash = $1';
    const [row] = await service.sql<{ last_used_at: Date | null }>(text, [hashKey(keys.live)]);
    return row?.last_used_at?.getTime() ?? null;
  };
  const untilRecorded = (ms: number) => until(async () => (await lastUsed()) === ms, 'its use is recorded');
  await service.clock.jump(60_000 - (service.clock.now() % 60_000) + 1_000);
  const minuteMs = service.clock.now() - 1_000;
  await live.get('/v1/orders');
  assert.equal(await lastUsed(), null);
  await flushUses();
  await untilRecorded(minuteMs);
  await service.clock.jump(20_000);
  await live.get('/v1/orders');
  await flushUses();
  assert.equal(await lastUsed(), minuteMs);
  await service.clock.jump(60_000);
  await live.get('/v1/orders');
  await flushUses();
  await untilRecorded(minuteMs + 60_000);
});

test('a refused key is not recorded as used', async () => {
  const { organizationId, keys } = await service.organization();
  await revokeKey(service.service.deps, { organizationId, keyId: await keyIdOf(service, keys.live), actor: OPERATOR });
  assertRefused(await service.api(keys.live).get('/v1/orders'), 'api_key_revoked');
  await service.clock.jump(60_000);
  await flushUses();
  await service.api(keys.sandbox).get('/v1/orders');
  const rows = await service.sql('select last_used_at from api_keys where hash = $1', [hashKey(keys.live)]);
  assert.deepEqual(rows, [{ last_used_at: null }]);
});
