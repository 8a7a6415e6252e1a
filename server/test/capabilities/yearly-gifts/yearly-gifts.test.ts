import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { holdGifts, releaseGifts } from '../../../src/core/organizations/hold-gifts.ts';
import { reinstateOrganization } from '../../../src/core/organizations/reinstate-organization.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { createYearly, newOrganization, type Yearly } from '../../harness/yearly.ts';

/** When yearly gifts are sent, and when not. The clock of the tests moves; each test has its own organization. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const START = Date.parse('2026-11-21T12:00:00Z');
let organization: TestOrganization;
let yearly: Yearly;

beforeEach(() => begin());

async function begin(cents?: number): Promise<void> {
  await service.clock.setTime(START);
  await service.sql('delete from portal.sessions');
  organization = await newOrganization(service, cents);
  yearly = createYearly(service, organization);
}

const states = async () => (await yearly.gifts()).map(({ address, state }) => `${address.split('@')[0]} ${state}`);

// First, because the cron of jobs does not go back with the clock.
test('the job of each minute sends what is due', async () => {
  await yearly.addContacts({ ada: '11-21' });
  await yearly.addRule({ time_zone: 'Europe/Berlin', hour: 14 });
  await service.clock.jump(3_600_000);
  await workUntil(service, async () => (await yearly.bought()).length === 1, 'the gift is sent');
});

test('a gift is sent at the hour of its day, in the zone of the rule', async () => {
  await yearly.addContacts({ ada: '1985-11-24', grace: '11-25' });
  await yearly.addRule({ time_zone: 'America/New_York', hour: 8 });
  await yearly.run();
  assert.deepEqual(await states(), ['ada coming', 'grace coming']);
  await yearly.runAt('2026-11-24T12:59:00Z');
  assert.deepEqual(await yearly.bought(), []);
  await yearly.runAt('2026-11-24T13:00:00Z');
  await yearly.run();
  assert.deepEqual(await yearly.bought(), ['ada@example.com']);
  await yearly.runAt('2026-11-25T13:00:30Z');
  assert.deepEqual(await states(), ['ada ordered', 'grace ordered']);
  const [gift] = (await organization.live.get('/v1/gifts')).body.data;
  assert.equal(gift.personalization.recipient_name, 'grace');
  assert.equal(gift.personalization.message, 'All the best');
  const orders = await service.sql<{ email: string }>(
    `select email from orders join members using (organization_id, member_id) where organization_id = $1`,
    [organization.organizationUuid],
  );
  assert.deepEqual(orders, [{ email: 'admin@example.com' }, { email: 'admin@example.com' }]);
  await verifyAll(service);
});

test('an hour that the clocks skip is the one after, and an hour twice is one gift', async () => {
  await service.clock.setTime(Date.parse('2027-03-25T00:00:00Z'));
  await yearly.addContacts({ skipped: '03-28', twice: '10-31' });
  await yearly.addRule({ time_zone: 'Europe/Berlin', hour: 2 });
  await yearly.runAt('2027-03-28T00:59:59Z');
  assert.deepEqual(await yearly.bought(), []);
  await yearly.runAt('2027-03-28T01:00:00Z');
  assert.deepEqual(await yearly.bought(), ['skipped@example.com']);
  await yearly.runAt('2027-10-30T23:59:59Z');
  assert.equal((await yearly.bought()).length, 1);
  await yearly.runAt('2027-10-31T00:00:00Z');
  await yearly.runAt('2027-10-31T01:00:00Z');
  assert.deepEqual(await yearly.bought(), ['skipped@example.com', 'twice@example.com']);
});

test('a rule sends nothing for a day that is past, nor to people without its tag', async () => {
  await yearly.addContacts({ today: '11-21', yesterday: '11-20', tomorrow: '11-22' }, { tags: ['team'] });
  await yearly.addContacts({ untagged: '11-22' });
  await yearly.addRule({ tag: 'team' });
  await yearly.run();
  await yearly.runAt('2026-11-22T09:00:00Z');
  await yearly.runAt('2026-11-30T09:00:00Z');
  assert.deepEqual(await yearly.bought(), ['tomorrow@example.com']);
  assert.deepEqual(await states(), ['tomorrow ordered']);
});

test('the first day of work is no anniversary, and a moved birthday is given once', async () => {
  await yearly.addContacts({ moved: '11-24' });
  const days = { starts: '2026-11-25', stays: '2021-11-25' };
  for (const [name, work_anniversary] of Object.entries(days))
    await organization.live.put('/v1/contacts', {
      delivery: { method: 'email', email: `${name}@example.com` },
      work_anniversary,
    });
  await yearly.addRule();
  await yearly.addRule({ occasion: 'work_anniversary' });
  await yearly.run();
  await yearly.addContacts({ moved: '11-26' });
  await yearly.runAt('2026-11-24T09:00:00Z');
  assert.deepEqual(await yearly.bought(), []);
  await yearly.runAt('2026-11-25T09:00:00Z');
  await yearly.runAt('2026-11-26T09:00:00Z');
  await yearly.addContacts({ moved: '11-28' });
  await yearly.runAt('2026-11-27T09:00:00Z');
  await yearly.runAt('2026-11-28T09:00:00Z');
  assert.deepEqual(await yearly.bought(), ['moved@example.com', 'stays@example.com']);
  const [entry] = (await yearly.calendar('2026-11')).data;
  assert.deepEqual([entry.name, entry.years, entry.state], [null, 5, 'ordered']);
});

test('what was due while the service was down is sent for seven days, then it is missed', async () => {
  await yearly.addContacts({ early: '11-23', planned: '11-28', unplanned: '12-03', late: '12-09' });
  await yearly.addRule();
  await yearly.run();
  await yearly.runAt('2026-12-10T12:00:00Z');
  assert.deepEqual(await states(), ['early missed', 'planned missed', 'unplanned missed', 'late ordered']);
  assert.deepEqual(
    (await yearly.gifts()).map(({ reason }) => reason),
    ['late', 'late', 'late', null],
  );
  assert.deepEqual(await yearly.bought(), ['late@example.com']);
});

test('gifts wait for the balance, the admins hear it once, and the gifts are sent when it covers them', async () => {
  await begin(1_000);
  await yearly.addContacts({ ada: '11-22', grace: '11-22', late: '11-23' });
  await yearly.addRule();
  await yearly.run();
  await yearly.runAt('2026-11-22T09:00:00Z');
  await yearly.runAt('2026-11-22T09:10:00Z');
  await yearly.runAt('2026-11-22T20:00:00Z');
  assert.deepEqual(await states(), ['ada waiting', 'grace waiting', 'late coming']);
  const mails = await yearly.mails('yearly_gifts_waiting');
  assert.deepEqual(
    mails.map(({ recipient, details }) => [recipient, details['gifts'], details['reason']]),
    [['admin@example.com', 2, 'insufficient_balance']],
  );
  await organization.fund('live', 5_000);
  await yearly.runAt('2026-11-23T08:00:00Z');
  assert.deepEqual(await states(), ['ada ordered', 'grace ordered', 'late coming']);
  await yearly.runAt('2026-11-23T09:00:00Z');
  for (let day = 24; day <= 30; day += 1) await yearly.runAt(`2026-11-${day}T09:00:01Z`);
  assert.deepEqual((await yearly.gifts()).at(-1), {
    address: 'late@example.com',
    year: 2026,
    date: '2026-11-23',
    state: 'missed',
    reason: 'insufficient_balance',
  });
  await verifyAll(service);
});

test('a rule spends no more than its limit in a calendar year', async () => {
  await yearly.addContacts({ a: '12-29', b: '12-30', c: '12-31', d: '01-02' });
  const ruleId = await yearly.addRule({ yearly_limit: 5_000 });
  for (const day of [29, 30, 31]) await yearly.runAt(`2026-12-${day}T09:00:00Z`);
  assert.deepEqual(await states(), ['a ordered', 'b ordered', 'c waiting', 'd coming']);
  const { data } = (await (await yearly.admin()).call('GET', yearly.at('/yearly-rules'))).body;
  assert.equal(data[0].spent_this_year, 5_000);
  // The new year has its own cents.
  await yearly.runAt('2027-01-01T09:00:00Z');
  await yearly.runAt('2027-01-02T09:00:00Z');
  assert.deepEqual(await states(), ['a ordered', 'b ordered', 'c ordered', 'd ordered']);
  await yearly.addContacts({ e: '01-04' });
  await yearly.runAt('2027-01-04T09:00:00Z');
  assert.deepEqual((await states()).at(-1), 'e waiting');
  await yearly.changeRule(ruleId, { yearly_limit: 7_500 });
  await yearly.runAt('2027-01-04T10:00:00Z');
  assert.deepEqual((await states()).at(-1), 'e ordered');
});

test('a rule without its admin, or under a suspension or a hold, waits', async () => {
  await organization.addMembers();
  await yearly.addContacts({ ada: '11-22', grace: '11-23' });
  await yearly.addRule();
  await yearly.run();
  await service.sql('update members set role = $2 where organization_id = $1 and email = $3', [
    organization.organizationUuid,
    'member',
    'admin@example.com',
  ]);
  await yearly.runAt('2026-11-22T09:00:00Z');
  assert.equal((await yearly.gifts())[0]?.reason, 'admin_required');
  assert.deepEqual(
    (await yearly.mails('yearly_gifts_waiting')).map(({ recipient }) => recipient),
    ['second@example.com', 'admin@example.com'],
  );
  await service.sql(`update members set role = 'admin' where organization_id = $1 and email = 'admin@example.com'`, [
    organization.organizationUuid,
  ]);
  const { organizationId } = organization;
  await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  await yearly.runAt('2026-11-22T10:00:00Z');
  assert.equal((await yearly.gifts())[0]?.reason, 'organization_suspended');
  await reinstateOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  await holdGifts(service.service.deps, { organizationId, actor: OPERATOR });
  await yearly.runAt('2026-11-22T11:00:00Z');
  assert.equal((await yearly.gifts())[0]?.reason, 'gifts_on_hold');
  await releaseGifts(service.service.deps, { organizationId, actor: OPERATOR });
  await yearly.runAt('2026-11-23T09:00:00Z');
  assert.deepEqual(await states(), ['ada ordered', 'grace ordered']);
});

test('one mail a day tells of what comes within a week', async () => {
  await yearly.addContacts({ a: '11-24', b: '11-26', c: '11-29', d: '11-29', e: '12-24' });
  await yearly.addRule({ name: 'Birthdays' });
  await yearly.run();
  await yearly.run();
  await yearly.runAt('2026-11-22T09:00:00Z');
  await yearly.runAt('2026-11-22T09:01:00Z');
  await yearly.runAt('2026-11-23T09:00:00Z');
  assert.deepEqual(
    (await yearly.mails('yearly_gifts_coming')).map(({ details }) => [details['rule'], details['gifts']]),
    [
      ['Birthdays', 2],
      ['Birthdays', 2],
    ],
  );
});

test('a paused rule sends nothing, and what passed meanwhile stays unsent', async () => {
  await yearly.addContacts({ paused: '11-23', resumed: '11-26' });
  const ruleId = await yearly.addRule();
  await yearly.run();
  await yearly.changeRule(ruleId, { is_paused: true });
  await yearly.runAt('2026-11-23T09:00:00Z');
  assert.deepEqual((await yearly.calendar('2026-11')).data, []);
  await yearly.changeRule(ruleId, { is_paused: false });
  await yearly.runAt('2026-11-24T09:00:00Z');
  await yearly.runAt('2026-11-26T09:00:00Z');
  assert.deepEqual(await yearly.bought(), ['resumed@example.com']);
});

test('an erased person gets no gift, and a deleted contact leaves no row', async () => {
  await yearly.addContacts({ erased: '11-23', deleted: '11-23', kept: '11-23' });
  await yearly.addRule();
  await yearly.run();
  const { organizationId } = organization;
  const recipient = { method: 'email', email: 'ERASED@example.com' } as const;
  await eraseRecipient(service.service.deps, { organizationId, recipient, actor: OPERATOR });
  const { body } = await organization.live.get('/v1/contacts?recipient=deleted@example.com');
  const deleted = await (await yearly.admin()).call('DELETE', yearly.at(`/contacts/${body.data[0].contact_id}`));
  assert.equal(deleted.status, 200);
  await yearly.runAt('2026-11-23T09:00:00Z');
  assert.deepEqual(await states(), ['kept ordered']);
  assert.deepEqual(await yearly.bought(), ['kept@example.com']);
});

test('a reset deletes the rules of the sandbox, and no others', async () => {
  const sandbox = createYearly(service, organization, 'sandbox');
  for (const one of [sandbox, yearly]) {
    await one.addContacts({ ada: '11-23' });
    await one.addRule();
  }
  await yearly.run();
  await yearly.runAt('2026-11-23T09:00:00Z');
  assert.deepEqual([(await sandbox.gifts()).length, (await yearly.gifts()).length], [1, 1]);
  assert.equal((await organization.sandbox.post('/v1/sandbox/reset')).status, 200);
  const left = await service.sql<{ environment: string }>(
    'select environment from yearly_rules where organization_id = $1',
    [organization.organizationUuid],
  );
  assert.deepEqual(left, [{ environment: 'live' }]);
  assert.deepEqual([(await sandbox.gifts()).length, (await yearly.gifts()).length], [0, 1]);
});
