import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/platform/base/id-time.ts';
import { emailGift } from '../../harness/api-client.ts';
import { memberWithRole } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient, type PortalClient } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** A wall for two is not taken down by one, and no wall falls in silence. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const ADMIN = 'admin@example.com';

interface Opened {
  organization: TestOrganization;
  base: string;
  /** Ids of members. */
  ids: { sender: string; ann: string; ben: string; second: string };
  second: string;
  rule(by: string | PortalClient, rule: object): ReturnType<PortalClient['call']>;
  /** What all admins were mailed of, newest last. */
  mailed(): Promise<string[]>;
}

async function open(): Promise<Opened> {
  await service.sql(`update members set email = 'of-' || organization_id || '@example.com' where email = $1`, [ADMIN]);
  const organization = await service.organization();
  const base = `/organizations/${organization.organizationId}`;
  const invite = (role: 'sender' | 'approver' | 'admin') =>
    memberWithRole(service, organization, role, `${role}-${randomUUID()}@example.com`);
  const [sender, ann, ben] = [await invite('sender'), await invite('approver'), await invite('approver')];
  const second = await invite('admin');
  await service.clock.jump(2 * DAY_MS);
  return {
    organization,
    base,
    ids: { sender: sender.memberId, ann: ann.memberId, ben: ben.memberId, second: second.memberId },
    second: second.email,
    async rule(by, rule) {
      const client = typeof by === 'string' ? await createPortalClient(service, by) : by;
      return client.call('PUT', `${base}/approval-rules`, { member_id: null, approvals: 1, approvers: [], ...rule });
    },
    async mailed() {
      const rows = await service.sql<{ change: string }>(
        `select details ->> 'change' as change from notices
         where organization_id = $1 and kind = 'access_changed' and recipient = $2 order by notice_id`,
        [organization.organizationUuid, second.email],
      );
      return rows.map(({ change }) => change).filter((one) => !['device_added', 'admin_added'].includes(one));
    },
  };
}

const TWO = { above: 1_000, approvals: 2 };

test('a rule of two ends when a second person wants the same, and holds until then', async () => {
  const { organization, base, rule, second, mailed } = await open();
  assert.deepEqual((await rule(ADMIN, TWO)).body.data[0].approvals, 2);
  const ended = { above: null };
  const first = await rule(ADMIN, ended);
  assert.deepEqual([first.status, first.body.data.length, first.body.asked[0].asked_by], [200, 1, ADMIN]);
  // Once more by the same person changes nothing.
  assert.equal((await rule(ADMIN, ended)).body.data.length, 1);
  const sends = await createPortalClient(service, ADMIN);
  const buy = { form_id: randomUUID(), gifts: [emailGift('ada', 5_000)] };
  assert.equal((await sends.call('POST', `${base}/sandbox/orders`, buy)).body.error.code, 'approval_required');
  // Another weaker rule is another wish.
  assert.equal((await rule(second, { above: 900_000, approvals: 2 })).body.asked[0].asked_by, second);
  const confirmed = await rule(ADMIN, { above: 900_000, approvals: 2 });
  assert.deepEqual([confirmed.body.data[0].above, confirmed.body.asked], [900_000, []]);
  assert.deepEqual(await mailed(), [
    'approval_rule_changed',
    'approval_rule_asked',
    'approval_rule_asked',
    'approval_rule_changed',
  ]);
  const events = await service.sql(
    `select from audit_events where organization_id = $1 and action = 'approval_rule.asked'`,
    [organization.organizationUuid],
  );
  assert.equal(events.length, 2);
});

test('a weaker rule of every kind waits: fewer, above more, by others, and an own rule of a member', async () => {
  const { ids, rule } = await open();
  await rule(ADMIN, { ...TWO, approvers: [ids.ann, ids.ben] });
  const weaker = [
    { above: null },
    { ...TWO, approvals: 1, approvers: [ids.ann, ids.ben] },
    { ...TWO, above: 1_001, approvers: [ids.ann, ids.ben] },
    { ...TWO, approvers: [ids.ann, ids.second] },
    { ...TWO, approvers: [] },
    { member_id: ids.sender, above: 1_000 },
    { member_id: ids.second, above: 900_000, approvals: 2 },
  ];
  for (const wish of weaker) {
    const { body } = await rule(ADMIN, wish);
    assert.equal(body.data.length, 1, JSON.stringify(wish));
    assert.deepEqual(body.data[0], { member_id: null, above: 1_000, approvals: 2, approvers: [ids.ann, ids.ben] });
  }
  const stronger = { ...TWO, above: 500, approvers: [ids.ben, ids.ann] };
  assert.equal((await rule(ADMIN, stronger)).body.data[0].above, 500);
});

test('a wish lapses after a week, is taken back, and is not confirmed by whom its asker just made an admin', async () => {
  const { organization, rule, second } = await open();
  await rule(ADMIN, TWO);
  await rule(ADMIN, { above: null });
  const mailbox = await memberWithRole(service, organization, 'admin', `${randomUUID()}@example.com`);
  const own = await rule(mailbox.email, { above: null });
  assert.match(own.body.error.message, /was added, activated or given their role since the day before/);
  assert.deepEqual((await rule(second, TWO)).body.asked, []);
  await rule(ADMIN, { above: null });
  await service.clock.jump(8 * DAY_MS);
  const late = await rule(second, { above: null });
  assert.deepEqual([late.body.data.length, late.body.asked[0].asked_by], [1, second]);
});

test('ten confirmations and takings back at once leave one rule or none, and nothing that waits', async () => {
  const { base, rule, second } = await open();
  await rule(ADMIN, TWO);
  await rule(ADMIN, { above: null });
  const client = await createPortalClient(service, second);
  await Promise.all(Array.from({ length: 10 }, (_, n) => rule(client, n % 2 === 0 ? { above: null } : TWO)));
  const { body } = await client.call('GET', `${base}/approval-rules`);
  const wishes: string[] = body.asked.map(({ asked_by }: { asked_by: string }) => asked_by);
  assert.ok(body.data.length === 0 ? wishes.length === 0 : wishes.every((by) => by === second), JSON.stringify(body));
});

test('each wall that is changed mails all admins', async () => {
  const { base, ids, mailed } = await open();
  const admin = await createPortalClient(service, ADMIN);
  const put = async (path: string, body: object, method = 'PUT') => {
    const answer = await admin.call(method, `${base}${path}`, body);
    assert.ok(answer.status === 200 || answer.status === 204, JSON.stringify(answer.body));
    return answer.body;
  };
  const limit = (day: number | null, holder_id = ids.sender) =>
    put('/sandbox/limits', { holder_id, day, month: null, recipient: null });
  await put('/gift-request-policy', { is_allowed: true });
  await limit(5_000);
  await limit(4_000);
  assert.deepEqual(await mailed(), ['request_policy_changed'], 'a lower limit sends no mail');
  await limit(6_000);
  await limit(null);
  const { team_id } = await put('/teams', { name: 'Team' }, 'POST');
  await put(`/members/${ids.sender}/team`, { team_id });
  await limit(5_000, team_id);
  await put(`/teams/${team_id}`, {}, 'DELETE');
  const { role_id } = await put('/roles', { name: 'Desk', permissions: ['gifts'] }, 'POST');
  await put(`/roles/${role_id}`, { name: 'Desk', permissions: ['gifts', 'order', 'integrate'] });
  const gift = { name: 'Day', amount: 2_500, category: 'coffee', sender_name: null, message: null, language: null };
  const { template_id } = await put('/live/gift-templates', gift, 'POST');
  const rule = {
    name: 'Days',
    tag: null,
    occasion: 'birthday',
    template_id,
    time_zone: 'UTC',
    hour: 9,
    is_paused: false,
    mode: 'sends',
    yearly_limit: 100_000,
  };
  const { rule_id } = await put('/live/yearly-rules', rule, 'POST');
  await put(`/live/gift-templates/${template_id}`, { ...gift, amount: 5_000 });
  await put(`/live/yearly-rules/${rule_id}`, { ...rule, yearly_limit: 200_000 });
  await put(`/live/yearly-rules/${rule_id}`, {}, 'DELETE');
  assert.deepEqual(await mailed(), [
    'request_policy_changed',
    'limits_raised',
    'limits_raised',
    'team_changed',
    'limits_raised',
    'own_role_changed',
    'yearly_rule_changed',
    'yearly_rule_changed',
    'yearly_rule_changed',
    'yearly_rule_changed',
  ]);
});
