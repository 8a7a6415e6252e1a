import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import {
  approveChange,
  declineChange,
  listWaitingChanges,
  needsApproval,
  requestApproval,
} from '../../../src/core/balances/approvals.ts';
import { addFunds } from '../../../src/core/balances/change-balance.ts';
import { showBalances } from '../../../src/core/balances/show-balances.ts';
import { activateMember } from '../../../src/core/organizations/activate-member.ts';
import { addMember } from '../../../src/core/organizations/add-member.ts';
import { changeMemberRole } from '../../../src/core/organizations/change-role.ts';
import { deactivateMember } from '../../../src/core/organizations/deactivate-member.ts';
import type { Actor } from '../../../src/platform/base/actor.ts';
import { DAY_MS } from '../../../src/platform/base/id-time.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { isOperatorError } from '../../harness/test-acts.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** Large changes of a balance need a second person. */

const service = openForFile(() => startTestService({ APPROVAL_ABOVE_CENTS: '100000' }));
const deps = () => service.service.deps;
const COLLEAGUE: Actor = { kind: 'operator', name: 'colleague', address: 'test.host' };

const input = ({ organizationId }: TestOrganization, reference?: string) => ({
  organizationId,
  environment: 'live' as const,
  kind: 'funding' as const,
  amountCents: 100_001,
  reference,
  note: 'Invoice 17',
  actor: OPERATOR,
});

const balanceOf = async ({ organizationId }: TestOrganization) =>
  (await showBalances(deps(), organizationId)).find(({ environment }) => environment === 'live')?.balance;

/** A request of an organization without funds. */
async function ask(reference?: string) {
  const organization = await service.organization({ live: 0 });
  const request = await requestApproval(deps(), input(organization, reference));
  const { organizationId } = organization;
  const decision = { organizationId, approvalId: request.approval_id };
  return { organization, request, decision };
}

test('only amounts above the setting need approval, added or subtracted', () => {
  const above = [100_000, -100_000, 100_001, -100_001].map((cents) => needsApproval(deps(), cents));
  assert.deepEqual(above, [false, false, true, true]);
  assert.equal(needsApproval({ config: { ...deps().config, approvalAboveCents: 0 } }, 1e12), false);
});

test('a large change waits for a second operator, and its entry has both names', async () => {
  const { organization, request, decision } = await ask();
  assert.deepEqual([request.state, await balanceOf(organization)], ['waiting', 0]);
  await assert.rejects(
    approveChange(deps(), { ...decision, actor: OPERATOR }),
    isOperatorError(/the operator \(tester\) asked for this change, so another person must approve it/),
  );
  const approved = await approveChange(deps(), { ...decision, actor: COLLEAGUE });
  assert.deepEqual(
    [approved.state, approved.decided_by, await balanceOf(organization)],
    ['approved', 'the operator (colleague)', 100_001],
  );
  const [entry] = await service.sql<{ note: string }>(
    `select note from ledger_entries where organization_id = $1 and environment = 'live'`,
    [organization.organizationUuid],
  );
  assert.equal(entry?.note, 'Invoice 17 (Requested by the operator (tester), approved by the operator (colleague))');
  assert.deepEqual(await listWaitingChanges(deps(), organization.organizationId), []);
  await assert.rejects(
    approveChange(deps(), { ...decision, actor: COLLEAGUE }),
    isOperatorError(/already approved by the operator \(colleague\)/),
  );
});

test('twenty simultaneous decisions change the balance at most once', async () => {
  const { organization, decision } = await ask();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      n % 4 === 3
        ? declineChange(deps(), { ...decision, actor: COLLEAGUE })
        : approveChange(deps(), { ...decision, actor: COLLEAGUE }),
    ),
  );
  const [made, ...more] = outcomes.filter(({ status }) => status === 'fulfilled');
  assert.deepEqual(more, []);
  const { state } = (made as PromiseFulfilledResult<{ state: string }>).value;
  assert.equal(await balanceOf(organization), state === 'approved' ? 100_001 : 0);
  assert.equal((await verifyLedger(deps())).holds, true);
});

test('repeating a reference asks once, and a declined one can be asked again', async () => {
  const { organization, request, decision } = await ask('invoice-17');
  const again = await requestApproval(deps(), input(organization, 'invoice-17'));
  assert.equal(again.approval_id, request.approval_id);
  await assert.rejects(
    requestApproval(deps(), { ...input(organization, 'invoice-17'), amountCents: 200_000 }),
    isOperatorError(/“invoice-17” belongs to another request/),
  );
  assert.equal((await declineChange(deps(), { ...decision, actor: OPERATOR })).state, 'declined');
  const second = await requestApproval(deps(), input(organization, 'invoice-17'));
  assert.notEqual(second.approval_id, request.approval_id);
  assert.equal(await balanceOf(organization), 0);
});

test('the reference of a request that waits is booked by nothing else', async () => {
  const { organization, decision } = await ask('invoice-18');
  const small = { ...input(organization, 'invoice-18'), amountCents: 5_000 };
  await assert.rejects(addFunds(deps(), small), isOperatorError(/belongs to the request apr_.*, which waits/));
  assert.equal((await approveChange(deps(), { ...decision, actor: COLLEAGUE })).state, 'approved');
  assert.equal(await balanceOf(organization), 100_001);
});

test('a note of any length keeps both names', async () => {
  const organization = await service.organization({ live: 0 });
  const { approval_id: approvalId } = await requestApproval(deps(), {
    ...input(organization),
    note: '😀'.repeat(1_000),
  });
  await approveChange(deps(), { organizationId: organization.organizationId, approvalId, actor: COLLEAGUE });
  const [entry] = await service.sql<{ note: string }>(
    `select note from ledger_entries where organization_id = $1 and environment = 'live'`,
    [organization.organizationUuid],
  );
  assert.match(
    entry?.note ?? '',
    /😀… \(Requested by the operator \(tester\), approved by the operator \(colleague\)\)$/,
  );
});

test('an admin approves in the portal with a fresh sign-in; others find nothing', async () => {
  const organization = await service.organization({ live: 0 });
  await organization.addMembers();
  await service.clock.jump(2 * DAY_MS);
  const request = await requestApproval(deps(), input(organization));
  const foreign = await service.organization();
  const path = ({ organizationId }: TestOrganization, more = '') => `/organizations/${organizationId}/approvals${more}`;
  const one = `/${request.approval_id}/approve`;
  const [admin, member] = [
    await createPortalClient(service, 'admin@example.com'),
    await createPortalClient(service, 'member@example.com'),
  ];
  const { body } = await member.call('GET', path(organization));
  assert.deepEqual(body.data, [
    {
      approval_id: request.approval_id,
      environment: 'live',
      amount: 100_001,
      reference: null,
      note: 'Invoice 17',
      state: 'waiting',
      requested_by: 'the operator (tester)',
      created_at: request.created_at.toISOString(),
    },
  ]);
  assert.equal((await member.call('POST', path(organization, one))).status, 403);
  assert.equal((await admin.call('POST', path(foreign, one))).status, 404);
  await service.clock.jump(11 * 60_000);
  assert.equal((await admin.call('POST', path(organization, one))).body.error.code, 'sign_in_again');
  const again = await createPortalClient(service, 'admin@example.com');
  assert.equal((await again.call('POST', path(organization, one))).body.state, 'approved');
  assert.equal(await balanceOf(organization), 100_001);
  assert.deepEqual((await member.call('GET', path(organization))).body.data, []);
  const mailed = await service.sql(
    `select recipient from notices where organization_id = $1 and details->>'change' = 'balance_requested'
     order by recipient`,
    [organization.organizationUuid],
  );
  assert.deepEqual(mailed, [{ recipient: 'admin@example.com' }, { recipient: 'second@example.com' }]);
});

test('four eyes are two people: not the operator as a member, nor whom they could have made one', async () => {
  const organization = await service.organization({ live: 0 });
  const { organizationId } = organization;
  const add = async (email: string, role: 'admin' | 'viewer' | 'finance' = 'admin') => {
    const { member_id: id } = await addMember(deps(), { organizationId, email, role, actor: OPERATOR });
    return { id, email };
  };
  const olga = await add('olga@ops.example');
  const label = await add('OLGA+gifts@ops.example', 'finance');
  const finance = await add('fin@example.com', 'finance');
  const raised = await add('raised@example.com', 'viewer');
  const left = await add('left@example.com');
  await deactivateMember(deps(), { organizationId, memberId: left.id, actor: OPERATOR, keepsAdmin: true });
  await service.clock.jump(2 * DAY_MS);
  const earlier = await add('earlier@ops.example');
  await service.clock.jump(DAY_MS / 2);
  const asker: Actor = { kind: 'operator', name: 'Olga@ops.example', address: '127.0.0.1' };
  const { approval_id: approvalId } = await requestApproval(deps(), { ...input(organization), actor: asker });
  await service.clock.jump(DAY_MS);
  const later = await add('later@ops.example');
  await changeMemberRole(deps(), {
    organizationId,
    memberId: raised.id,
    role: 'admin',
    actor: OPERATOR,
    keepsAdmin: true,
  });
  await activateMember(deps(), { organizationId, memberId: left.id, actor: OPERATOR });
  const approve = async (email: string) => {
    const client = await createPortalClient(service, email);
    return client.call('POST', `/organizations/${organizationId}/approvals/${approvalId}/approve`);
  };
  for (const { email } of [olga, label])
    assert.match((await approve(email)).body.error.message, /asked for this change, so another person must approve it/);
  for (const { email } of [earlier, later, raised, left]) {
    const { status, body } = await approve(email);
    assert.equal(status, 422, email);
    assert.match(body.error.message, /was added, activated or given their role since the day before/);
  }
  await assert.rejects(
    approveChange(deps(), { organizationId, approvalId, actor: asker }),
    isOperatorError(/asked for/),
  );
  assert.equal(await balanceOf(organization), 0);
  assert.equal((await approve(finance.email)).body.state, 'approved');
  assert.equal(await balanceOf(organization), 100_001);
});
