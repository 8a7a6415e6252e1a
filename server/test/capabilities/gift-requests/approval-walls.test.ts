import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { MemberPermission } from '../../../src/platform/authentication/permissions.ts';
import { DAY_MS } from '../../../src/platform/base/id-time.ts';
import { emailGift } from '../../harness/api-client.ts';
import { createSender, rowTo } from '../../harness/batches.ts';
import { allowRequests, giftTo, requestsPath } from '../../harness/gift-requests.ts';
import { memberWithRole, type RoleMember } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient, type PortalAnswer, type PortalClient } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** Asking and deciding do not add up to sending, and what was asked for keeps what it was asked under. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));

interface Opened {
  organization: TestOrganization;
  admin: PortalClient;
  base: string;
  /** A new member with an own role, or a built-in one. */
  person(role: readonly MemberPermission[] | 'sender' | 'approver' | 'admin'): Promise<RoleMember>;
}

async function open(): Promise<Opened> {
  await service.sql(
    `update members set email = 'of-' || organization_id || '@example.com' where email = 'admin@example.com'`,
  );
  const organization = await service.organization();
  const base = `/organizations/${organization.organizationId}`;
  const admin = await createPortalClient(service, 'admin@example.com');
  await allowRequests(admin, organization);
  return {
    organization,
    admin,
    base,
    async person(role) {
      const email = `${randomUUID()}@example.com`;
      if (typeof role === 'string') return memberWithRole(service, organization, role, email);
      const { body } = await (await createPortalClient(service, 'admin@example.com')).call('POST', `${base}/roles`, {
        name: randomUUID(),
        permissions: role,
      });
      return memberWithRole(service, organization, body.role_id, email);
    },
  };
}

const refusal = ({ status, body }: PortalAnswer) => [status, body.error?.code];
const orders = ({ organizationUuid }: TestOrganization) =>
  service.sql('select from orders where organization_id = $1', [organizationUuid]);

async function setRule({ base }: Opened, rule: object): Promise<void> {
  const admin = await createPortalClient(service, 'admin@example.com');
  const input = { member_id: null, approvals: 1, approvers: [], ...rule };
  const { status, body } = await admin.call('PUT', `${base}/approval-rules`, input);
  assert.equal(status, 200, JSON.stringify(body));
}

async function asked(client: PortalClient, { organization }: Opened, more = '', body: object = {}): Promise<string> {
  const form = { form_id: randomUUID(), ...body };
  const answer = await client.call('POST', requestsPath(organization, more), form);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.gift_request_id;
}

const approve = (client: PortalClient, { organization }: Opened, id: string) =>
  client.call('POST', requestsPath(organization, `/${id}/approve`));

test('without sending, who asks does not decide; with it, and without a rule, they do', async () => {
  const opened = await open();
  const both = await opened.person(['gifts', 'request', 'approve']);
  const other = await opened.person('approver');
  const id = await asked(both, opened, '', { gift: giftTo('me@example.com', 50_000) });
  const own = await approve(both, opened, id);
  assert.match(own.body.error.message, /^Another person must decide/);
  assert.equal((await orders(opened.organization)).length, 0);
  assert.equal((await approve(other, opened, id)).body.state, 'approved');
  const sends = await opened.person(['gifts', 'request', 'approve', 'order']);
  const more = await asked(sends, opened, '', { gift: giftTo('you@example.com') });
  assert.equal((await approve(sends, opened, more)).body.state, 'approved');
});

test('what was asked for under a rule of two needs two, also when the rule is weaker or gone', async () => {
  const opened = await open();
  const [sender, ann, ben] = [
    await opened.person('sender'),
    await opened.person('approver'),
    await opened.person('approver'),
  ];
  await setRule(opened, { above: 0, approvals: 2 });
  const id = await asked(sender, opened, '/orders', { gifts: [emailGift('ada')] });
  await service.sql('delete from approval_rules');
  assert.equal((await approve(ann, opened, id)).body.state, 'open');
  const own = await approve(await createPortalClient(service, sender.email), opened, id);
  assert.deepEqual(refusal(own), [403, 'admin_required']);
  assert.equal((await orders(opened.organization)).length, 0);
  assert.equal((await approve(ben, opened, id)).body.state, 'approved');
});

test('an admin does not approve what they asked for under a rule that has ended', async () => {
  const opened = await open();
  await opened.person('approver');
  await setRule(opened, { above: 0 });
  const id = await asked(opened.admin, opened, '/orders', { gifts: [emailGift('ada')] });
  await service.sql('delete from approval_rules');
  const own = await approve(await createPortalClient(service, 'admin@example.com'), opened, id);
  assert.match(own.body.error.message, /^Another person must decide/);
});

test('a file that was asked for without duplicates does not start with some', async () => {
  const opened = await open();
  const approver = await opened.person('approver');
  await service.clock.jump(2 * DAY_MS);
  await setRule(opened, { above: 1_000 });
  const admin = await createPortalClient(service, 'admin@example.com');
  const sender = createSender(service, admin, opened.organization);
  const names = ['ada', 'grace', 'joan'];
  const batchId = await sender.draft(names.map((name) => rowTo(`${name}@example.com`)));
  const amount = 3_000;
  const id = await asked(admin, opened, '/batches', { batch_id: batchId, amount, accepts_duplicates: false });
  await opened.organization.sandbox.order([giftTo('ada@example.com'), giftTo('joan@example.com')]);
  // From two tabs it is one request.
  const twice = { batch_id: batchId, amount, accepts_duplicates: true };
  assert.equal(await asked(admin, opened, '/batches', twice), id);
  const decider = await createPortalClient(service, approver.email);
  const refused = await approve(decider, opened, id);
  assert.match(refused.body.error.message, /^2 rows are to people .* Decline the request/);
  assert.equal((await orders(opened.organization)).length, 1);
  const accepted = await createPortalClient(service, approver.email);
  assert.equal((await accepted.call('POST', requestsPath(opened.organization, `/${id}/decline`), {})).status, 200);
  const again = await asked(admin, opened, '/batches', { batch_id: batchId, amount, accepts_duplicates: true });
  assert.equal((await approve(accepted, opened, again)).body.state, 'approved');
});

test('what no day’s limit allows is refused when it is asked for, with the sentence of the order', async () => {
  const opened = await open();
  const sender = await opened.person('sender');
  const admin = await createPortalClient(service, 'admin@example.com');
  const { body: team } = await admin.call('POST', `${opened.base}/teams`, { name: 'Team' });
  const limit = (holder_id: string, amounts: object) =>
    admin.call('PUT', `${opened.base}/sandbox/limits`, {
      holder_id,
      day: null,
      month: null,
      recipient: null,
      ...amounts,
    });
  assert.equal((await limit(sender.memberId, { day: 10_000 })).status, 200);
  await setRule(opened, { above: 2_000 });
  const ask = (gifts: object[], more = '/orders') =>
    sender.call('POST', requestsPath(opened.organization, more), {
      form_id: randomUUID(),
      ...(more === '' ? { gift: gifts[0] } : { gifts }),
    });
  const day = await ask([emailGift('ada', 10_001)]);
  assert.match(
    day.body.error.message,
    /^What one member sends may cost at most \$100\.00 per day, and this order alone exceeds that\. Make it smaller/,
  );
  assert.match((await ask([emailGift('ada', 10_001)], '')).body.error.message, /at most \$100\.00 per day/);
  assert.equal((await ask([emailGift('ada', 5_000), emailGift('grace', 5_000)])).status, 200);
  assert.equal((await limit(sender.memberId, { recipient: 3_000 })).status, 200);
  const recipient = await ask([emailGift('ada', 2_000), emailGift('ADA', 2_000)]);
  assert.match(recipient.body.error.message, /to one recipient may be worth at most \$30\.00/);
  const link = await ask([{ amount: 1_000, category: 'coffee', delivery: { method: 'link' } }]);
  assert.match(link.body.error.message, /^You have a limit for each recipient/);
  assert.equal((await limit(sender.memberId, {})).status, 200);
  await service.sql(
    'update members set team_id = (select team_id from teams where name = $1 limit 1) where email = $2',
    ['Team', sender.email],
  );
  assert.equal((await limit(team.team_id, { month: 9_000 })).status, 200);
  assert.match(
    (await ask([emailGift('ada', 9_001)])).body.error.message,
    /^What the team sends may cost at most \$90\.00/,
  );
  const file = createSender(service, sender, opened.organization);
  const rows = [rowTo('ada@example.com', { amount: 9_001 }), rowTo('grace@example.com')];
  const batch = await sender.call('POST', requestsPath(opened.organization, '/batches'), {
    form_id: randomUUID(),
    batch_id: await file.draft(rows),
    amount: 10_001,
    accepts_duplicates: true,
  });
  assert.match(batch.body.error.message, /^What the team sends/);
  const open_ = await service.sql(`select from gift_requests where state = 'open' and organization_id = $1`, [
    opened.organization.organizationUuid,
  ]);
  assert.equal(open_.length, 1);
});

test('whom the asker just added or raised, or whom those did, does not decide what a rule holds back', async () => {
  const opened = await open();
  const { organization, base } = opened;
  const raised = await opened.person('sender');
  const [early, late] = [await opened.person('approver'), await opened.person('approver')];
  await service.clock.jump(2 * DAY_MS);
  const admin = await createPortalClient(service, 'admin@example.com');
  const before = await opened.person('admin');
  await setRule(opened, { above: 0, approvals: 2 });
  const asker = await createPortalClient(service, 'admin@example.com');
  const id = await asked(asker, opened, '/orders', { gifts: [emailGift('ada')] });
  const role = await admin.call('PUT', `${base}/members/${raised.memberId}/role`, { role: 'approver' });
  assert.equal(role.status, 200, JSON.stringify(role.body));
  const mailbox = await opened.person('approver');
  // The chain: the new admin invites.
  const inviter = await createPortalClient(service, before.email);
  const email = `${randomUUID()}@example.com`;
  assert.equal((await inviter.call('POST', `${base}/members`, { email, role: 'approver' })).status, 200);
  const chained = await createPortalClient(service, email);
  assert.equal((await chained.call('POST', `/invitations/${organization.organizationId}/accept`)).status, 204);
  for (const who of [before.email, raised.email, mailbox.email, email]) {
    const { status, body } = await approve(await createPortalClient(service, who), opened, id);
    assert.equal(status, 422, who);
    assert.match(body.error.message, /added you or gave you your role since the day before/);
  }
  assert.equal((await approve(await createPortalClient(service, early.email), opened, id)).body.state, 'open');
  assert.equal((await approve(await createPortalClient(service, late.email), opened, id)).body.state, 'approved');
});

test('a role without names sees no names in requests, and no reasons in events', async () => {
  const opened = await open();
  const { admin, base, organization } = opened;
  const blind = await opened.person(['gifts', 'request', 'settings']);
  await asked(blind, opened, '', { gift: giftTo('vip@private.example') });
  for (const more of ['', '?state=open']) {
    const { body } = await blind.call('GET', requestsPath(organization, more));
    assert.equal(body.data.length, 1);
    assert.doesNotMatch(JSON.stringify(body), /vip@|Thank you|Ada/);
  }
  const { order_id: orderId } = (await organization.sandbox.order([giftTo('ada@example.com')])).body;
  const reason = 'Because of Ada';
  const canceled = await admin.call('POST', `${base}/sandbox/orders/${orderId}/cancel`, { reason });
  assert.equal(canceled.status, 200, JSON.stringify(canceled.body));
  const integrator = await opened.person(['gifts', 'others', 'integrations']);
  const events = await integrator.call('GET', `${base}/sandbox/events`);
  assert.ok(events.body.data.length > 0);
  assert.doesNotMatch(JSON.stringify(events.body), /Because of Ada/);
});
