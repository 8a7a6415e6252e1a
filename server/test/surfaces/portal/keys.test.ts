import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noticesOf } from '../../harness/notices.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// API keys in the portal: names, limits and replacement.

const HOUR_MS = 3_600_000;

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const member = openForFile(async () => {
  await organization.addMembers();
  return createPortalClient(service, 'member@example.com');
});

const pathOf = ({ organizationId }: TestOrganization, rest = '') =>
  `/organizations/${organizationId}/sandbox/keys${rest}`;
const create = (body: object) => admin.call('POST', pathOf(organization), body);
const keyOf = async (keyId: string) =>
  (await admin.call('GET', pathOf(organization))).body.data.find(({ key_id }: { key_id: string }) => key_id === keyId);

test('a name with control characters or half a character is 422', async () => {
  for (const name of ['a\u0000b', '\u001b[2J', 'a\u009bb', 'a\nb', 'a\u2028b', '\ud800', 'a\udc00b', ' a', 'a ', '']) {
    const { status, body } = await create({ name });
    assert.deepEqual([status, body.error?.code, body.error?.param], [422, 'parameter_invalid', 'name'], name);
  }
  const { status, body } = await create({ name: 'Ada’s Café 🎁' });
  assert.equal(status, 200);
  assert.equal((await keyOf(body.key_id)).name, 'Ada’s Café 🎁');
});

test('an admin replaces a key; all admins get a mail; members cannot', async () => {
  const { body: old } = await create({ name: 'Shop' });
  const path = pathOf(organization, `/${old.key_id}/roll`);
  assert.equal((await member.call('POST', path, { overlap_hours: 1 })).status, 403);
  for (const overlap_hours of [-1, 169, 1.5, null]) {
    const { status, body } = await admin.call('POST', path, { overlap_hours });
    assert.deepEqual([status, body.error.param], [422, 'overlap_hours']);
  }
  const before = await noticesOf(service, organization);
  const { status, body } = await admin.call('POST', path, { overlap_hours: 1 });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['key_id', 'key']);
  const notices = (await noticesOf(service, organization)).slice(before.length);
  assert.deepEqual(notices.map(({ kind, recipient }) => [kind, recipient]).sort(), [
    ['key_rolled', 'admin@example.com'],
    ['key_rolled', 'second@example.com'],
  ]);
  const until = new Date(service.clock.now() + HOUR_MS).toISOString();
  assert.deepEqual([(await keyOf(old.key_id)).expires_at, (await keyOf(body.key_id)).expires_at], [until, null]);
});

test('an admin sets the last moment and the networks of a key', async () => {
  const expiresAt = new Date(service.clock.now() + HOUR_MS).toISOString();
  const { body } = await create({ name: 'Limited', expires_at: expiresAt, networks: ['127.0.0.1', '2001:db8::1/32'] });
  const { expires_at, networks, is_active } = await keyOf(body.key_id);
  assert.deepEqual([expires_at, networks, is_active], [expiresAt, ['127.0.0.1/32', '2001:db8::/32'], true]);
  assert.equal((await service.api(body.key).get('/v1/orders')).status, 200);
  for (const [wrong, param] of [
    [{ networks: ['127.0.0.1', 'here'] }, 'networks[1]'],
    [{ networks: Array(21).fill('127.0.0.1') }, 'networks'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '2027-99-99T00:00:00Z' }, 'expires_at'],
    [{ expires_at: '2027-02-31T00:00:00Z' }, 'expires_at'],
  ] as const) {
    const answer = await create({ name: 'Wrong', ...wrong });
    assert.deepEqual([answer.status, answer.body.error.param], [422, param]);
  }
  await service.clock.jump(HOUR_MS);
  assert.equal((await keyOf(body.key_id)).is_active, false);
});
