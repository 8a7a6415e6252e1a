import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { emailGift } from '../../harness/api-client.ts';
import { createSender, rowsTo } from '../../harness/batches.ts';
import { requestsPath } from '../../harness/gift-requests.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { memberWithRole, type RoleMember } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient, type PortalAnswer } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** Orders of members that wait for one approval or two, by amount and by member. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const second = openForFile(() => service.second());

interface Opened {
  organization: TestOrganization;
  admin: Pick<RoleMember, 'call' | 'at'>;
  sender: RoleMember;
  approvers: readonly [RoleMember, RoleMember];
  at(more: string): string;
  rule(rule: object): Promise<PortalAnswer>;
}

async function open(): Promise<Opened> {
  const organization = await service.organization();
  const invite = (role: 'sender' | 'approver', name: string) =>
    memberWithRole(service, organization, role, `${name}-${randomUUID()}@example.com`);
  const base = `/organizations/${organization.organizationId}`;
  const sender = await invite('sender', 'sara');
  const approvers = [await invite('approver', 'ann'), await invite('approver', 'ben')] as const;
  // Last, because each sign-in takes some minutes.
  const admin = await createPortalClient(service, 'admin@example.com');
  return {
    organization,
    admin,
    sender,
    approvers,
    at: (more) => `${base}/sandbox${more}`,
    rule: (rule) =>
      admin.call('PUT', `${base}/approval-rules`, { member_id: null, approvals: 1, approvers: [], ...rule }),
  };
}

const form = (amount = 5_000, form_id = randomUUID()) => ({ form_id, gifts: [emailGift('ada', amount)] });
const refusal = ({ status, body }: PortalAnswer) => [status, body.error?.code];
const states = (answers: readonly PortalAnswer[]) => answers.map(({ body }) => body.state ?? body.error?.code);

async function ask({ sender, organization }: Opened, body: object): Promise<string> {
  const { status, body: asked } = await sender.call('POST', requestsPath(organization, '/orders'), body);
  assert.equal(status, 200, JSON.stringify(asked));
  return asked.gift_request_id;
}

const decide = (client: Pick<RoleMember, 'call'>, { organization }: Opened, id: string, act = 'approve') =>
  client.call('POST', requestsPath(organization, `/${id}/${act}`), act === 'decline' ? {} : undefined);

test('an order above the amount waits, is bought once with the approval, and is the sender’s', async () => {
  const opened = await open();
  const { organization, sender, approvers, at, rule } = opened;
  assert.equal((await rule({ above: 4_000 })).status, 200);
  const before = await balanceOf(service, organization, 'sandbox');
  assert.equal((await sender.call('POST', at('/orders'), form(4_000))).status, 200);
  const held = form(4_001);
  assert.deepEqual(refusal(await sender.call('POST', at('/orders'), held)), [409, 'approval_required']);
  const [id, ...same] = await Promise.all([ask(opened, held), ask(opened, held), ask(opened, held)]);
  assert.deepEqual(same, [id, id], 'the same form asks once');
  assert.deepEqual(refusal(await decide(sender, opened, id)), [403, 'admin_required']);
  const approved = await decide(approvers[0], opened, id);
  assert.equal(approved.body.state, 'approved', JSON.stringify(approved.body));
  assert.equal((await decide(approvers[1], opened, id)).body.order_id, approved.body.order_id);
  assert.equal(await balanceOf(service, organization, 'sandbox'), before - 8_001);

  assert.equal((await sender.call('GET', at(`/orders/${approved.body.order_id}`))).status, 200);
  // Also when the rule is gone, the form buys nothing more.
  await rule({ above: null });
  const again = await sender.call('POST', at('/orders'), held);
  assert.deepEqual([again.status, again.body.is_replay], [200, true]);
  assert.equal(await balanceOf(service, organization, 'sandbox'), before - 8_001);
});

test('a declined form is never bought, also when the rule is gone', async () => {
  const opened = await open();
  const { organization, sender, admin, at, rule } = opened;
  await rule({ above: 0 });
  const held = form();
  const id = await ask(opened, held);
  const before = await balanceOf(service, organization, 'sandbox');
  assert.equal((await decide(admin, opened, id, 'decline')).body.state, 'declined');
  await rule({ above: null });
  assert.deepEqual(refusal(await sender.call('POST', at('/orders'), held)), [409, 'approval_required']);
  assert.equal(await balanceOf(service, organization, 'sandbox'), before);
  assert.equal((await sender.call('POST', at('/orders'), form())).status, 200);
});

test('a member’s own rule takes the place of the organization’s', async () => {
  const { sender, admin, at, rule } = await open();
  await rule({ above: 10_000 });
  assert.equal((await sender.call('POST', at('/orders'), form(9_000))).status, 200);
  await rule({ member_id: sender.memberId, above: 2_000 });
  assert.deepEqual(refusal(await sender.call('POST', at('/orders'), form(9_000))), [409, 'approval_required']);
  assert.equal((await admin.call('POST', at('/orders'), form(9_000))).status, 200);
  await rule({ member_id: sender.memberId, above: 50_000 });
  assert.equal((await sender.call('POST', at('/orders'), form(11_000))).status, 200);
});

test('two approvals come from two people, who are named, and both get a mail', async () => {
  const opened = await open();
  const { organization, admin, approvers, at, rule } = opened;
  const [ann, ben] = approvers;
  await rule({ above: 1_000, approvals: 2, approvers: [ann.memberId, ben.memberId] });
  const held = form();
  const id = await ask(opened, held);
  const mails = await service.sql<{ recipient: string }>(
    `select recipient from notices where kind = 'gift_requested' and details ->> 'request_id' = $1 order by recipient`,
    [id],
  );
  assert.deepEqual(
    mails.map(({ recipient }) => recipient.slice(0, 4)),
    ['ann-', 'ben-'],
  );
  assert.deepEqual(refusal(await decide(admin, opened, id)), [422, 'refused'], 'the admin is not named');
  const first = await decide(ann, opened, id);
  assert.deepEqual([first.body.state, first.body.approvals.given_by.length, first.body.may_decide], ['open', 1, true]);
  assert.equal((await decide(ann, opened, id)).body.state, 'open', 'one person counts once');
  assert.equal((await decide(ben, opened, id)).body.state, 'approved');
  const orders = await service.sql('select from orders where idempotency_key = $1', [`portal-${held.form_id}`]);
  assert.equal(orders.length, 1);
  const [{ body: shown }] = await Promise.all([ben.call('GET', requestsPath(organization, `/${id}`))]);
  assert.equal(shown.approvals.needed, 2);
  assert.equal((await admin.call('GET', at(`/orders/${shown.order_id}`))).status, 200);
});

test('no one approves what they asked for, and an approver who left counts no more', async () => {
  const opened = await open();
  const { organization, admin, approvers, rule } = opened;
  const [ann, ben] = approvers;
  await rule({ above: 0, approvals: 2 });
  const asked = await admin.call('POST', requestsPath(organization, '/orders'), form());
  assert.deepEqual(refusal(await decide(admin, opened, asked.body.gift_request_id)), [422, 'refused']);
  const id = await ask(opened, form());
  assert.equal((await decide(ann, opened, id)).body.state, 'open');
  const members = `/organizations/${organization.organizationId}/members`;
  assert.equal((await admin.call('POST', `${members}/${ann.memberId}/deactivate`)).status, 200);
  assert.equal((await decide(ben, opened, id)).body.state, 'open');
  assert.equal((await decide(admin, opened, id)).body.state, 'approved');
});

test('a rule that too few could fulfil is refused', async () => {
  const { organization, sender, admin, approvers, rule } = await open();
  const [ann] = approvers;
  const one = await rule({ above: 0, approvals: 2, approvers: [ann.memberId] });
  assert.match(one.body.error.message, /^Only one person could approve that\./);
  const without = await rule({ above: 0, approvers: [sender.memberId] });
  assert.match(without.body.error.message, /does not include deciding requests for gifts\.$/);
  assert.equal((await rule({ above: 0, approvals: 3 })).status, 422);
  const { body } = await admin.call('GET', `/organizations/${organization.organizationId}/approval-rules`);
  assert.deepEqual(body.data, []);
});

test('two approvals, a decline and two servers at once agree on one outcome', async () => {
  const opened = await open();
  const { organization, admin, approvers, rule } = opened;
  const [ann, ben] = approvers;
  await rule({ above: 0, approvals: 2 });
  const before = await balanceOf(service, organization, 'sandbox');
  const elsewhere = { origin: second.url };
  let bought = 0;
  for (let round = 0; round < 20; round += 1) {
    const held = form();
    const id = await ask(opened, held);
    const path = requestsPath(organization, `/${id}`);
    const answers = await Promise.all([
      ann.call('POST', `${path}/approve`),
      ben.at(second.url).call('POST', `${path}/approve`, undefined, elsewhere),
      ...(round % 2 === 0 ? [] : [admin.at(second.url).call('POST', `${path}/decline`, {}, elsewhere)]),
    ]);
    const { body } = await admin.call('GET', path);
    const orders = await service.sql('select from orders where idempotency_key = $1', [`portal-${held.form_id}`]);
    assert.equal(orders.length, body.state === 'approved' ? 1 : 0, JSON.stringify(states(answers)));
    assert.ok(round % 2 === 1 || body.state === 'approved', JSON.stringify(states(answers)));
    bought += orders.length;
  }
  assert.equal(await balanceOf(service, organization, 'sandbox'), before - bought * 5_000);
  await verifyAll(service);
});

test('a declined file is never sent, also when the rule is gone', async () => {
  const opened = await open();
  const { organization, sender, approvers, rule } = opened;
  await rule({ above: 0 });
  const files = createSender(service, sender, organization);
  const batchId = await files.draft(rowsTo(2));
  const body = { form_id: randomUUID(), batch_id: batchId, amount: 2_000, accepts_duplicates: false };
  const { body: asked } = await sender.call('POST', requestsPath(organization, '/batches'), body);
  assert.equal((await decide(approvers[0], opened, asked.gift_request_id, 'decline')).body.state, 'declined');
  await rule({ above: null });
  assert.deepEqual(refusal(await files.start(batchId, 2_000)), [409, 'approval_required']);
});

test('a file above the amount waits as a whole, unchanged, and is sent once it is approved', async () => {
  const opened = await open();
  const { organization, sender, approvers, at, rule } = opened;
  await rule({ above: 5_000 });
  const files = createSender(service, sender, organization);
  const small = await files.draft(rowsTo(5));
  assert.equal((await files.start(small, 5_000)).status, 200);
  const rows = rowsTo(12);
  const batchId = await files.draft(rows);
  assert.deepEqual(refusal(await files.start(batchId, 12_000)), [409, 'approval_required']);
  const body = { form_id: randomUUID(), batch_id: batchId, amount: 12_000, accepts_duplicates: false };
  const asked = await sender.call('POST', requestsPath(organization, '/batches'), body);
  assert.equal(asked.body.batch_id, batchId, JSON.stringify(asked.body));
  const changed = await sender.call('PUT', at(`/batches/${batchId}/rows`), { first_row: 1, rows: rowsTo(1) });
  assert.match(changed.body.error.message, /wait for an approval/);
  const approved = await decide(approvers[0], opened, asked.body.gift_request_id);
  assert.equal(approved.body.state, 'approved', JSON.stringify(approved.body));
  assert.equal((await decide(approvers[1], opened, asked.body.gift_request_id)).status, 200);
  const ended = await files.settle(batchId);
  assert.deepEqual([ended.state, ended.placed, ended.member.slice(0, 5)], ['ended', 12, 'sara-']);
  await verifyAll(service);
});
