import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkGift } from '../../harness/api-client.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { noticesOf } from '../../harness/notices.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// Spending caps in the portal: of all orders of a mode, and of one key.

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const member = openForFile(async () => {
  await organization.addMembers();
  return createPortalClient(service, 'member@example.com');
});

const pathOf = ({ organizationId }: TestOrganization, environment = 'sandbox') =>
  `/organizations/${organizationId}/${environment}/spending-caps`;
const NO_CAPS = { hour: null, day: null };

test('an admin caps all orders and one key; every member sees what was spent', async () => {
  const keyId = await keyIdOf(service, organization.keys.sandbox);
  const path = pathOf(organization);
  assert.equal((await member.call('PUT', path, { key_id: null, hour: 1, day: 1 })).status, 403);
  assert.equal((await admin.call('PUT', path, { key_id: null, hour: null, day: 9_000 })).status, 200);
  assert.equal((await admin.call('PUT', path, { key_id: keyId, hour: 5_000, day: null })).status, 200);
  assert.equal((await organization.sandbox.order([linkGift(4_000)])).status, 201);
  assertRefused(
    await organization.sandbox.order([linkGift(1_001)]),
    'insufficient_balance',
    undefined,
    'key_cap_reached',
  );
  const { status, body } = await member.call('GET', path);
  assert.equal(status, 200);
  const [all, key, ...others] = body.data;
  assert.deepEqual(all, { key_id: null, name: null, hint: null, hour: null, day: { cap: 9_000, spent: 4_000 } });
  assert.deepEqual([key.key_id, key.hour, key.day], [keyId, { cap: 5_000, spent: 4_000 }, null]);
  assert.equal(others.length, 0);
});

test('a raised cap is mailed to all admins with the caps before and after', async () => {
  await member.call('GET', '/me');
  const set = (hour: number) => admin.call('PUT', pathOf(organization, 'live'), { key_id: null, hour, day: null });
  await set(5_000);
  const before = await noticesOf(service, organization);
  assert.equal((await set(6_000)).status, 200);
  const notices = (await noticesOf(service, organization)).slice(before.length);
  assert.deepEqual(notices.map(({ kind, recipient }) => [kind, recipient]).sort(), [
    ['cap_raised', 'admin@example.com'],
    ['cap_raised', 'second@example.com'],
  ]);
});

test('a foreign or unknown key is not found, and an impossible amount is 422', async () => {
  const other = await service.organization();
  for (const key_id of [
    await keyIdOf(service, other.keys.sandbox),
    await keyIdOf(service, organization.keys.live),
    'key_01k0fxw4mze6hv3tqx4d5s8r2n',
    'x',
  ])
    assert.equal((await admin.call('PUT', pathOf(organization), { key_id, ...NO_CAPS })).status, 404, key_id);
  for (const day of [0, -1, 1.5, '1', Number.MAX_SAFE_INTEGER + 2]) {
    const { status, body } = await admin.call('PUT', pathOf(organization), { key_id: null, hour: null, day });
    assert.deepEqual([status, body.error.param], [422, 'day'], `${day}`);
  }
});
