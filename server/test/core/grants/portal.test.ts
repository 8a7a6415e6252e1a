import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeMemberRole } from '../../../src/core/organizations/change-role.ts';
import { decodeId, encodeId } from '../../../src/platform/base/ids.ts';
import { connectAgent } from '../../harness/agent.ts';
import { statusAndCode } from '../../harness/agent-grant.ts';
import { linkGift } from '../../harness/api-client.ts';
import { noticesOf } from '../../harness/notices.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// Grants of agents in the portal.

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const members = openForFile(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const second = openForFile(async () => {
  await members;
  return createPortalClient(service, 'second@example.com');
});

const pathOf = ({ organizationId }: TestOrganization, rest = '', environment = 'sandbox') =>
  `/organizations/${organizationId}/${environment}/grants${rest}`;

const GRANT = {
  name: 'Assistant',
  permissions: ['links', 'order'],
  reach: 'own',
  recipient_domains: null,
  members_only: false,
  categories: null,
  limits: { order: 5_000, recipient: null, hour: null, day: 10_000, life: null },
};
const create = (more: object = {}) => admin.call('POST', pathOf(organization), { ...GRANT, ...more });
const grants = async () => (await admin.call('GET', pathOf(organization))).body;
const grantOf = async (id: string) =>
  (await grants()).data.find(({ grant_id }: { grant_id: string }) => grant_id === id);

const codeOf = async (token: string) => (await statusAndCode(service, token))[1];

test('an admin creates a grant, whose token is shown once, and all admins get a mail', async () => {
  await members;
  const before = await noticesOf(service, organization);
  const { status, body } = await create();
  assert.equal(status, 200);
  assert.match(body.token, /^bestow-agent-sandbox-/);
  const notices = (await noticesOf(service, organization)).slice(before.length);
  assert.deepEqual(notices.map(({ kind, recipient }) => [kind, recipient]).sort(), [
    ['access_changed', 'admin@example.com'],
    ['access_changed', 'second@example.com'],
  ]);
  const agent = await connectAgent(service.url, body.token);
  await agent.call('place_order', await agent.preview({ gifts: [linkGift(4_000)] }));

  const listed = await grantOf(body.grant_id);
  assert.deepEqual([listed.name, listed.permissions, listed.is_active], ['Assistant', ['links', 'order'], true]);
  assert.deepEqual(listed.limits, {
    order: { cap: 5_000, spent: 0 },
    recipient: null,
    hour: null,
    day: { cap: 10_000, spent: 4_000 },
    life: null,
  });
  assert.equal(listed.hint, `bestow-agent-sandbox-…${body.token.slice(-4)}`);
  assert.ok(!JSON.stringify(await grants()).includes(body.token));
  const keys = await admin.call('GET', `/organizations/${organization.organizationId}/sandbox/keys`);
  assert.ok(!JSON.stringify(keys.body).includes('agent'));
  const { presets } = await grants();
  assert.deepEqual(
    presets.map(({ title }: { title: string }) => title),
    ['Buys for people I name', 'Own gifts', 'Read only'],
  );
});

test('what cannot be granted is refused with a sentence', async () => {
  for (const [more, message] of [
    [{ recipient_domains: ['acme.example'], members_only: true }, /either domains of recipients or members only/],
    [{ recipient_domains: ['Acme'] }, /“Acme” is not a domain/],
    [{ categories: ['gold'] }, /There is no category gold\. The categories are: coffee/],
    [{ expires_at: new Date(service.clock.now()).toISOString() }, /would be expired already/],
    [{ permissions: ['everything'] }, /permissions/],
    [{ limits: { ...GRANT.limits, day: 0 } }, /above zero/],
  ] as const) {
    const { status, body } = await create(more);
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(body.error.message, message);
  }
});

test('an admin raises a limit, replaces the token and revokes the grant', async () => {
  const { body: grant } = await create();
  const limits = { ...GRANT.limits, day: 20_000, life: 50_000 };
  const changed = await admin.call('PUT', pathOf(organization, `/${grant.grant_id}/limits`), limits);
  assert.deepEqual([changed.body.limits.day.cap, changed.body.limits.life.cap], [20_000, 50_000]);
  const replaced = await admin.call('POST', pathOf(organization, `/${grant.grant_id}/token`), { overlap_hours: 0 });
  assert.deepEqual([await codeOf(grant.token), await codeOf(replaced.body.token)], ['api_key_revoked', undefined]);
  const revoked = await admin.call('POST', pathOf(organization, `/${grant.grant_id}/revoke`), {});
  assert.deepEqual([revoked.body.is_active, await codeOf(replaced.body.token)], [false, 'api_key_revoked']);
  const again = await admin.call('POST', pathOf(organization, `/${grant.grant_id}/token`), { overlap_hours: 0 });
  assert.match(again.body.error.message, /There is no active grant/);
});

test('a grant ends with the admin who made it', async () => {
  const { second: memberUuid } = await members;
  const path = pathOf(organization);
  const byRole = (await second.call('POST', path, GRANT)).body;
  const { organizationId } = organization;
  const memberId = encodeId('mem', memberUuid);
  const change = { organizationId, memberId, actor: OPERATOR, keepsAdmin: false } as const;
  await changeMemberRole(service.service.deps, { ...change, role: 'member' });
  assert.equal(await codeOf(byRole.token), 'api_key_revoked');
  await changeMemberRole(service.service.deps, { ...change, role: 'admin' });
  const byDeactivation = (await (await createPortalClient(service, 'second@example.com')).call('POST', path, GRANT))
    .body;
  await organization.deactivate(memberUuid);
  assert.equal(await codeOf(byDeactivation.token), 'api_key_revoked');
  assert.equal((await grantOf(byDeactivation.grant_id)).is_active, false);
});

test('fifty grants are active at most, without those of an admin who left', async () => {
  const other = await service.organization();
  const { second: leaving } = await other.addMembers();
  const add = () => admin.call('POST', pathOf(other), GRANT);
  const statuses = (await Promise.all(Array.from({ length: 55 }, add))).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 50);
  assert.match((await add()).body.error.message, /50 active grants, the maximum/);
  const [{ grant_id }] = (await admin.call('GET', pathOf(other))).body.data;
  await service.sql('update agent_grants set member_id = $1 where grant_id = $2', [
    leaving,
    decodeId('grant', grant_id),
  ]);
  await other.deactivate(leaving);
  assert.equal((await add()).status, 200);
});
