import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { createSender, rowTo } from '../../harness/batches.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { memberWithRole, type RoleMember } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** What a member and a team may send in a day, in a month, and to one recipient on a day. */

const DAY_MS = 86_400_000;

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const second = openForFile(() => service.second());

interface Opened {
  organization: TestOrganization;
  sender: RoleMember;
  email: string;
  limit(holderId: string, amounts: Partial<Record<'day' | 'month' | 'recipient', number>>): Promise<void>;
  send(client: Pick<RoleMember, 'call'>, gifts: readonly object[]): Promise<{ status: number; message: string }>;
  admin: Pick<RoleMember, 'call'>;
}

async function open(): Promise<Opened> {
  const organization = await service.organization();
  const admin = await createPortalClient(service, 'admin@example.com');
  const email = `sara-${randomUUID()}@example.com`;
  const sender = await memberWithRole(service, organization, 'sender', email);
  const at = (more: string) => `/organizations/${organization.organizationId}/sandbox${more}`;
  return {
    organization,
    sender,
    email,
    admin,
    async limit(holder_id, amounts) {
      const none = { day: null, month: null, recipient: null };
      const { status, body } = await admin.call('PUT', at('/limits'), { holder_id, ...none, ...amounts });
      assert.equal(status, 200, JSON.stringify(body));
    },
    async send(client, gifts) {
      const { status, body } = await client.call('POST', at('/orders'), { form_id: randomUUID(), gifts });
      return { status, message: body.error?.message ?? '' };
    },
  };
}

test('a member’s day and month hold, in the portal only, and begin anew in UTC', async () => {
  await service.clock.jump(Date.parse('2027-01-30T12:00:00Z') - service.clock.now());
  const { organization, sender, email, limit, send, admin } = await open();
  assert.equal((await send(sender, [emailGift('ada', 2_000)])).status, 200);
  await limit(sender.memberId, { day: 5_000, month: 9_000 });
  const alone = await send(sender, [emailGift('ada', 5_001)]);
  assert.match(alone.message, /at most \$50\.00 per day, and this order alone exceeds that\. Make it smaller/);
  const beyond = await send(sender, [emailGift('ada', 3_001)]);
  assert.deepEqual(beyond, {
    status: 402,
    message:
      'What one member sends may cost at most $50.00 per day; this order would exceed that. A new day begins at 2027-01-31 00:00 UTC.',
  });
  assert.equal((await send(sender, [emailGift('ada', 3_000)])).status, 200);
  assert.equal((await organization.sandbox.order([emailGift('ada', 9_000)])).status, 201, 'programs have no limit');
  assert.equal((await send(admin, [emailGift('ada', 9_000)])).status, 200, 'others have none');
  await service.clock.jump(DAY_MS);
  const later = await createPortalClient(service, email);
  assert.match((await send(later, [emailGift('ada', 4_500)])).message, /per month; .* begins at 2027-02-01 00:00 UTC/);
  assert.equal((await send(later, [emailGift('ada', 4_000)])).status, 200);
  const path = `/organizations/${organization.organizationId}/sandbox/limits`;
  assert.deepEqual((await later.call('GET', path)).body.data, [
    { holder_id: sender.memberId, day: 5_000, month: 9_000, recipient: null, spent: { day: 4_000, month: 9_000 } },
  ]);
  await service.clock.jump(DAY_MS);
  assert.equal((await send(await createPortalClient(service, email), [emailGift('ada', 5_000)])).status, 200);
});

test('a team’s limits hold for all of it, and end with the team', async () => {
  const { organization, sender, limit, send, admin } = await open();
  const colleague = await memberWithRole(service, organization, 'sender', `carl-${randomUUID()}@example.com`);
  const base = `/organizations/${organization.organizationId}`;
  const { body: team } = await admin.call('POST', `${base}/teams`, { name: 'Sales' });
  for (const { memberId } of [sender, colleague])
    await admin.call('PUT', `${base}/members/${memberId}/team`, { team_id: team.team_id });
  await limit(team.team_id, { month: 6_000 });
  const foreign = await memberWithRole(service, organization, 'viewer', `vera-${randomUUID()}@example.com`);
  assert.deepEqual((await foreign.call('GET', `${base}/sandbox/limits`)).body.data, [], 'limits are of the team');
  assert.equal((await sender.call('GET', `${base}/sandbox/limits`)).body.data.length, 1);
  assert.equal((await send(sender, [emailGift('ada', 4_000)])).status, 200);
  const beyond = await send(colleague, [emailGift('ada', 2_500)]);
  assert.match(beyond.message, /^What the team sends may cost at most \$60\.00 per month/);
  assert.equal((await send(colleague, [emailGift('ada', 2_000)])).status, 200);
  assert.equal((await admin.call('DELETE', `${base}/teams/${team.team_id}`)).status, 204);
  assert.equal((await send(colleague, [emailGift('ada', 2_500)])).status, 200);
  assert.deepEqual((await admin.call('GET', `${base}/sandbox/limits`)).body.data, []);
});

test('a limit for each recipient counts a day’s gifts to an address, and refuses links', async () => {
  const { sender, limit, send } = await open();
  await limit(sender.memberId, { recipient: 3_000 });
  assert.equal((await send(sender, [emailGift('ada', 2_000), emailGift('bob', 3_000)])).status, 200);
  const again = await send(sender, [emailGift('ADA', 1_001)]);
  assert.match(again.message, /^Gifts of one member to one recipient may be worth at most \$30\.00 per day/);
  assert.equal((await send(sender, [emailGift('ada', 1_000)])).status, 200);
  const link = await send(sender, [emailGift('eve', 1_000), linkGift(1_000)]);
  assert.deepEqual([link.status, /by email or phone only/.test(link.message)], [422, true]);
});

test('fifty orders at once on two servers never exceed a member’s limit', async () => {
  const { organization, sender, limit } = await open();
  const before = await balanceOf(service, organization, 'sandbox');
  await limit(sender.memberId, { month: 10_000 });
  const path = `/organizations/${organization.organizationId}/sandbox/orders`;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const body = { form_id: randomUUID(), gifts: [emailGift(`r${n}`, 1_000)] };
      return n % 2 === 0
        ? sender.call('POST', path, body)
        : sender.at(second.url).call('POST', path, body, { origin: second.url });
    }),
  );
  const bought = answers.filter(({ status }) => status === 200).length;
  assert.equal(bought, 10, JSON.stringify(answers.map(({ status }) => status)));
  assert.equal(await balanceOf(service, organization, 'sandbox'), before - 10_000);
  await verifyAll(service);
});

test('a file stops at its sender’s limit, also if an admin resumes it', async () => {
  const { organization, sender, limit, admin } = await open();
  await limit(sender.memberId, { month: 15_000 });
  const files = createSender(service, sender, organization);
  const rows = Array.from({ length: 20 }, () => rowTo(`${randomUUID()}@example.com`));
  const batchId = await files.send(rows);
  const stopped = await files.settle(batchId);
  assert.deepEqual([stopped.state, stopped.placed], ['stopped', 10]);
  assert.match(stopped.stop.message, /^What one member sends may cost at most \$150\.00 per month/);
  const path = `/organizations/${organization.organizationId}/sandbox/batches/${batchId}/resume`;
  assert.equal((await admin.call('POST', path)).status, 200);
  assert.equal((await files.settle(batchId)).state, 'stopped');
  await limit(sender.memberId, { month: 20_000 });
  assert.equal((await admin.call('POST', path)).status, 200);
  const ended = await files.settle(batchId);
  assert.deepEqual([ended.state, ended.placed], ['ended', 20]);
});
