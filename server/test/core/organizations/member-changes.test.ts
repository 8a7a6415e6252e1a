import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey } from '../../../src/core/keys/create-key.ts';
import { listKeys } from '../../../src/core/keys/list-keys.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { activateMember } from '../../../src/core/organizations/activate-member.ts';
import { addMember } from '../../../src/core/organizations/add-member.ts';
import { changeMemberRole } from '../../../src/core/organizations/change-role.ts';
import { deactivateMember } from '../../../src/core/organizations/deactivate-member.ts';
import { listMembers } from '../../../src/core/organizations/list-members.ts';
import type { Actor } from '../../../src/platform/base/actor.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { listAuditEvents } from '../../../src/surfaces/audit-log.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { isOperatorError } from '../../harness/test-acts.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const other = openForFile(() => service.second());

const add = ({ organizationId }: TestOrganization, email: string, role: 'admin' | 'member') =>
  addMember(service.service.deps, { organizationId, email, role, actor: OPERATOR });

const asMember = (memberId: string, email: string): Actor => ({
  kind: 'member',
  memberId: decodeId('mem', memberId) ?? '',
  email,
  address: '203.0.113.7',
});

type Leave = (of: TestService, organizationId: string, memberId: string, actor: Actor) => Promise<unknown>;
const deactivate: Leave = (of, organizationId, memberId, actor) =>
  deactivateMember(of.service.deps, { organizationId, memberId, actor, keepsAdmin: true });
const demote: Leave = (of, organizationId, memberId, actor) =>
  changeMemberRole(of.service.deps, { organizationId, memberId, role: 'member', actor, keepsAdmin: true });

const races: Record<string, [Leave, Leave]> = {
  'deactivate each other': [deactivate, deactivate],
  'demote each other': [demote, demote],
  'deactivate and demote each other': [deactivate, demote],
};

for (const [name, [one, two]] of Object.entries(races))
  test(`of two admins who ${name} in two processes, exactly one succeeds`, async () => {
    for (let round = 0; round < 3; round += 1) {
      const organization = await service.organization();
      const { organizationId, memberId } = organization;
      const { member_id } = await add(organization, 'bob@example.com', 'admin');
      await service.clock.advance(1);
      const outcomes = await Promise.allSettled([
        one(service, organizationId, member_id, asMember(memberId, 'admin@example.com')),
        two(other, organizationId, memberId, asMember(member_id, 'bob@example.com')),
      ]);
      const [failure, ...rest] = outcomes.filter((outcome) => outcome.status === 'rejected');
      assert.equal(rest.length, 0);
      const sentence = /^\w+@example\.com is the last active admin; make another member an admin first\.$/;
      assert.ok(isOperatorError(sentence)(failure?.reason));
      const admins = (await listMembers(service.service.deps, organizationId)).filter(
        ({ role, deactivated_at }) => role === 'admin' && deactivated_at === null,
      );
      assert.equal(admins.length, 1);
      const { rows } = await listAuditEvents(service.service.deps, {
        organizationId: decodeId('org', organizationId) ?? '',
        page: { limit: 1 },
      });
      assert.match(rows[0]?.action ?? '', /^member\.(?:deactivated|role_changed)$/);
      assert.equal(rows[0]?.actor.name, admins[0]?.email);
    }
  });

test('the operator may remove the last admin, which the result reports', async () => {
  const { deps } = service.service;
  const { organizationId, memberId } = await service.organization();
  const change = { organizationId, memberId, actor: OPERATOR, keepsAdmin: false };
  const demoted = await changeMemberRole(deps, { ...change, role: 'member' });
  assert.deepEqual([demoted.wasLastActiveAdmin, demoted.member.role], [true, 'member']);
  // A member without the role cannot be the last admin.
  assert.equal((await deactivateMember(deps, { ...change, keepsAdmin: true })).wasLastActiveAdmin, false);
  const promoted = await changeMemberRole(deps, { ...change, role: 'admin' });
  assert.deepEqual([promoted.wasLastActiveAdmin, promoted.member.role], [false, 'admin']);
  // Nor can a deactivated one.
  assert.equal((await changeMemberRole(deps, { ...change, role: 'member' })).wasLastActiveAdmin, false);
});

test('a member or key of another organization looks unknown and stays unchanged', async () => {
  const { deps } = service.service;
  const [mine, foreign] = await Promise.all([service.organization(), service.organization()]);
  const { organizationId } = mine;
  const actor = asMember(mine.memberId, 'admin@example.com');
  const [key] = await listKeys(deps, foreign.organizationId);
  assert.ok(key);
  const members = await listMembers(deps, foreign.organizationId);
  const keys = await listKeys(deps, foreign.organizationId);
  for (const memberId of [foreign.memberId, 'mem_01h455vb4pex5vsknk084sn02q', 'x']) {
    const change = { organizationId, memberId, actor, keepsAdmin: false };
    const refused = isOperatorError(new RegExp(`^There is no member ${memberId}\\.$`));
    await assert.rejects(deactivateMember(deps, change), refused);
    await assert.rejects(activateMember(deps, change), refused);
    await assert.rejects(changeMemberRole(deps, { ...change, role: 'member' }), refused);
  }
  for (const keyId of [key.key_id, 'key_01h455vb4pex5vsknk084sn02q', 'x'])
    await assert.rejects(revokeKey(deps, { organizationId, keyId, actor }), {
      message: `There is no key ${keyId}.`,
    });
  assert.deepEqual(await listMembers(deps, foreign.organizationId), members);
  assert.deepEqual(await listKeys(deps, foreign.organizationId), keys);
});

const noticesOf = ({ organizationUuid }: TestOrganization) =>
  service.sql<{ kind: string; recipient: string; details: unknown }>(
    'select kind, recipient, details from notices where organization_id = $1 order by notice_id',
    [organizationUuid],
  );

test('emails every active admin once when a key is created or revoked', async () => {
  const { deps } = service.service;
  const organization = await service.organization();
  const { organizationId, memberId } = organization;
  await add(organization, 'bob@example.com', 'admin');
  await add(organization, 'member@example.com', 'member');
  const gone = await add(organization, 'gone@example.com', 'admin');
  await organization.deactivate(decodeId('mem', gone.member_id) ?? '');
  const earlier = await noticesOf(organization);

  const actor = asMember(memberId, 'admin@example.com');
  const created = await createKey(deps, { organizationId, environment: 'live', name: 'Web shop', actor });
  const at = new Date(service.clock.now()).toISOString();
  await revokeKey(deps, { organizationId, keyId: created.key_id, actor: OPERATOR });
  await revokeKey(deps, { organizationId, keyId: created.key_id, actor: OPERATOR });
  const details = {
    organization_name: 'Test Organization',
    key_name: 'Web shop',
    key_hint: `bestow-…${created.key.slice(-4)}`,
    environment: 'live',
    at,
  };
  const byMember = { ...details, by: 'admin@example.com', from: '203.0.113.7' };
  const byOperator = { ...details, by: 'the operator (tester)', from: 'test.host' };
  assert.deepEqual((await noticesOf(organization)).slice(earlier.length), [
    { kind: 'key_created', recipient: 'admin@example.com', details: byMember },
    { kind: 'key_created', recipient: 'bob@example.com', details: byMember },
    { kind: 'key_revoked', recipient: 'admin@example.com', details: byOperator },
    { kind: 'key_revoked', recipient: 'bob@example.com', details: byOperator },
  ]);
  assert.equal((await listKeys(deps, organizationId)).at(-1)?.created_by, 'admin@example.com');
});

test('invites a new member but not an existing one', async () => {
  const organization = await service.organization();
  await add(organization, 'bob@example.com', 'member');
  const known = isOperatorError(/^BOB@example\.com is already a member\.$/);
  await assert.rejects(add(organization, 'BOB@example.com', 'admin'), known);
  assert.deepEqual(await noticesOf(organization), [
    {
      kind: 'member_invited',
      recipient: 'bob@example.com',
      details: { organization_name: 'Test Organization', role: 'member', by: 'the operator (tester)' },
    },
  ]);
});

test('a refused eleventh key causes no email and no audit event', async () => {
  const organization = await service.organization();
  const { organizationId } = organization;
  const input = { organizationId, environment: 'live', name: 'one of many', actor: OPERATOR } as const;
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => createKey(service.service.deps, input)));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 8);
  assert.equal((await noticesOf(organization)).length, 8);
  const page = { limit: 100 };
  const { rows } = await listAuditEvents(service.service.deps, { organizationId: organization.organizationUuid, page });
  assert.equal(rows.filter(({ sentence }) => sentence === 'Created the key “one of many”').length, 8);
});
