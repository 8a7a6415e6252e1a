import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sendDueGifts } from '../../../src/core/gifts/schedule/send-waiting.ts';
import { requestsPath } from '../../harness/gift-requests.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { memberWithRole } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { createYearly, newOrganization, type Yearly } from '../../harness/yearly.ts';

/** Yearly gifts that wait for an admin, that are skipped, and who may do what. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const START = Date.parse('2026-11-21T12:00:00Z');
let organization: TestOrganization;
let yearly: Yearly;

beforeEach(async () => {
  await service.clock.setTime(START);
  await service.sql('delete from portal.sessions');
  organization = await newOrganization(service);
  yearly = createYearly(service, organization);
});

const requests = async (): Promise<{ gift_request_id: string; state: string; gifts: { send_at: string }[] }[]> =>
  (await (await yearly.admin()).call('GET', requestsPath(organization, '', 'live'))).body.data;
const decide = async (id: string, how: 'approve' | 'decline') => {
  const { status, body } = await (await yearly.admin()).call(
    'POST',
    requestsPath(organization, `/${id}/${how}`, 'live'),
    {},
  );
  assert.equal(status, 200, JSON.stringify(body));
};
const shown = async (month: string): Promise<{ contact_id: string; rule_id: string; year: number; state: string }[]> =>
  (await yearly.calendar(month)).data;

test('a rule with approval asks a week before, once, and an approved gift is sent on its day', async () => {
  await yearly.addContacts({ ada: '11-29', grace: '12-20' });
  await yearly.addRule({ mode: 'approval', yearly_limit: null });
  await yearly.run();
  assert.deepEqual(await requests(), []);
  await yearly.runAt('2026-11-22T09:00:00Z');
  await Promise.all([yearly.run(), yearly.run()]);
  const [request, ...others] = await requests();
  assert.deepEqual([request?.state, others.length], ['open', 0]);
  assert.equal(request?.gifts[0]?.send_at, '2026-11-29T09:00:00.000Z');
  assert.equal((await yearly.mails('gift_requested')).length, 0);
  const [mail] = await yearly.mails('yearly_gifts_coming');
  assert.deepEqual([mail?.details['gifts'], mail?.details['mode']], [1, 'approval']);
  assert.deepEqual(
    (await shown('2026-11')).map(({ state }) => state),
    ['requested'],
  );
  await decide(request?.gift_request_id ?? '', 'approve');
  await decide(request?.gift_request_id ?? '', 'approve');
  const waiting = () =>
    service.sql<{ is_waiting: boolean | null }>('select is_waiting from gifts where organization_id = $1', [
      organization.organizationUuid,
    ]);
  assert.deepEqual(await waiting(), [{ is_waiting: true }]);
  await yearly.runAt('2026-11-29T09:00:00Z');
  await sendDueGifts(service.service.deps);
  assert.deepEqual(await waiting(), [{ is_waiting: null }]);
  assert.deepEqual(await yearly.bought(), ['ada@example.com']);
  assert.deepEqual(
    (await shown('2026-11')).map(({ state }) => state),
    ['ordered'],
  );
  await verifyAll(service);
});

test('a gift that a rule of approval holds back is asked for on its day, and bought once by another person', async () => {
  const approver = await memberWithRole(service, organization, 'approver');
  await yearly.addContacts({ ada: '11-24' });
  await yearly.addRule({ hour: 0 });
  await (await yearly.admin()).call('PUT', `/organizations/${organization.organizationId}/approval-rules`, {
    member_id: null,
    above: 0,
    approvals: 1,
    approvers: [],
  });
  await yearly.runAt('2026-11-24T00:00:00Z');
  await Promise.all([yearly.run(), yearly.run()]);
  const [request, ...others] = await requests();
  assert.deepEqual([request?.state, others.length, (await yearly.bought()).length], ['open', 0, 0]);
  const path = requestsPath(organization, `/${request?.gift_request_id}/approve`, 'live');
  const own = await (await yearly.admin()).call('POST', path);
  assert.match(own.body.error.message, /^Another person must decide/);
  const { body } = await (await createPortalClient(service, approver.email)).call('POST', path);
  assert.equal(body.state, 'approved', JSON.stringify(body));
  await yearly.run();
  assert.deepEqual(await yearly.bought(), ['ada@example.com']);
  await verifyAll(service);
});

test('a gift that was asked for is not bought beside its request, if a crash kept that from being noted', async () => {
  await yearly.addContacts({ ada: '11-22' });
  const ruleId = await yearly.addRule({ mode: 'approval', yearly_limit: null, hour: 0 });
  await yearly.runAt('2026-11-22T00:00:00Z');
  const [request] = await requests();
  assert.equal(request?.state, 'open');
  // As the crash leaves it.
  await service.sql(
    `update yearly_gifts set state = 'coming', request_id = null, amount_cents = null, next_try_at = $1`,
    [new Date(service.clock.now())],
  );
  await yearly.changeRule(ruleId, { mode: 'sends', yearly_limit: 10_000_000 });
  await yearly.run();
  assert.deepEqual(await yearly.bought(), []);
  await decide(request?.gift_request_id ?? '', 'approve');
  await yearly.run();
  assert.deepEqual(await yearly.bought(), ['ada@example.com']);
});

test('a request that is approved after the day is sent at once, and a declined one is not', async () => {
  await yearly.addContacts({ late: '11-23', declined: '11-24' });
  await yearly.addRule({ mode: 'approval', yearly_limit: null });
  await yearly.run();
  await yearly.runAt('2026-11-27T12:00:00Z');
  const open = await requests();
  assert.equal(open.length, 2);
  for (const { gift_request_id, gifts } of open)
    await decide(gift_request_id, gifts[0]?.send_at.startsWith('2026-11-23') ? 'approve' : 'decline');
  assert.deepEqual(await yearly.bought(), ['late@example.com']);
  const [gift] = (await organization.live.get('/v1/gifts')).body.data;
  assert.equal(gift.scheduled_for, undefined);
  assert.deepEqual(
    (await shown('2026-11')).map(({ state }) => state),
    ['ordered', 'declined'],
  );
  await yearly.runAt('2026-11-28T09:00:00Z');
  assert.equal((await requests()).length, 2);
});

test('a gift is skipped for one year, and can come again until its day', async () => {
  await yearly.addContacts({ skipped: '11-23', again: '11-24', leap: '02-29' });
  await yearly.addRule();
  const skip = async (month: string, place: number, is_skipped: boolean) => {
    const { rule_id, contact_id, year } = (await shown(month))[place] ?? assert.fail();
    const { status, body } = await (await yearly.admin()).call('PUT', yearly.at('/yearly-gifts/skips'), {
      rule_id,
      contact_id,
      year,
      is_skipped,
    });
    return [status, body?.error?.code];
  };
  const done = [204, undefined];
  const refused = [422, 'refused'];
  assert.deepEqual(await skip('2027-02', 0, true), done);
  await yearly.run();
  assert.deepEqual(await skip('2026-11', 0, true), done);
  assert.deepEqual(await skip('2026-11', 0, true), done);
  assert.deepEqual(await skip('2026-11', 1, true), done);
  assert.deepEqual(await skip('2026-11', 1, false), done);
  await yearly.runAt('2026-11-23T09:00:00Z');
  await yearly.runAt('2026-11-24T09:00:00Z');
  assert.deepEqual(await yearly.bought(), ['again@example.com']);
  assert.deepEqual(await skip('2026-11', 0, false), refused);
  assert.deepEqual(await skip('2026-11', 1, true), refused);
  await service.clock.setTime(Date.parse('2027-02-20T09:00:00Z'));
  await yearly.runAt('2027-02-28T09:00:00Z');
  assert.deepEqual(await yearly.bought(), ['again@example.com']);
  const events = await service.sql<{ action: string }>(
    `select action from audit_events where organization_id = $1 and action like 'yearly_gift.%' order by event_id`,
    [organization.organizationUuid],
  );
  assert.deepEqual(
    events.map(({ action }) => action.split('.')[1]),
    ['skipped', 'skipped', 'skipped', 'unskipped'],
  );
});

test('the calendar shows what comes in each month, with its sum', async () => {
  await yearly.addContacts({ ada: '1985-12-10', leap: '2000-02-29', grace: '12-09' }, { tags: ['team'] });
  await yearly.addRule({ tag: 'team', name: 'Birthdays' });
  const { data, total, amount } = await yearly.calendar('2026-12');
  assert.deepEqual([total, amount], [2, 5000]);
  assert.deepEqual(
    data.map(({ name, date, years, state, rule }: Record<string, string>) => [name, date, years, state, rule]),
    [
      ['grace', '2026-12-09', null, 'coming', 'Birthdays'],
      ['ada', '2026-12-10', 41, 'coming', 'Birthdays'],
    ],
  );
  assert.equal((await shown('2027-02'))[0]?.state, 'coming');
  assert.deepEqual((await yearly.calendar('2027-02')).data[0].date, '2027-02-28');
  assert.deepEqual((await yearly.calendar('2028-02')).data[0].date, '2028-02-29');
  // What is past had no gift.
  assert.deepEqual((await yearly.calendar('2026-02')).data, []);
});

test('the number and the sum of a month are of the same gifts, and only admins undo an admin’s skip', async () => {
  await yearly.addContacts({ ada: '12-10', grace: '12-09' });
  const ruleId = await yearly.addRule();
  const { contact_id } = (await yearly.calendar('2026-12')).data[0];
  const skip = { rule_id: ruleId, contact_id, year: 2026, is_skipped: true };
  const sender = await memberWithRole(service, organization, 'sender', 'skipping@example.com');
  assert.equal((await sender.call('PUT', yearly.at('/yearly-gifts/skips'), skip)).status, 204);
  const summary = async () => {
    const { data, total, amount, left_out } = await yearly.calendar('2026-12');
    return [data.length, data[0].state, data[0].needs_settings, total, amount, left_out];
  };
  assert.deepEqual(await summary(), [2, 'skipped', false, 1, 2500, 0]);
  assert.equal((await (await yearly.admin()).call('PUT', yearly.at('/yearly-gifts/skips'), skip)).status, 204);
  assert.deepEqual(await summary(), [2, 'skipped', true, 1, 2500, 0]);
  const undone = await sender.call('PUT', yearly.at('/yearly-gifts/skips'), { ...skip, is_skipped: false });
  assert.deepEqual([undone.status, undone.body.error.code], [403, 'admin_required']);
});

test('a rule must have what it needs, and its template stays', async () => {
  const template_id = await yearly.addTemplate();
  const admin = await yearly.admin();
  const rule = {
    name: 'Birthdays',
    tag: null,
    occasion: 'birthday',
    template_id,
    time_zone: 'UTC',
    hour: 9,
    mode: 'sends',
    yearly_limit: 5000,
    is_paused: false,
  };
  const add = (changes: object) => admin.call('POST', yearly.at('/yearly-rules'), { ...rule, ...changes });
  for (const [changes, param] of [
    [{ yearly_limit: null }, 'yearly_limit'],
    [{ yearly_limit: 1 }, 'yearly_limit'],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ time_zone: '+01:00' }, 'time_zone'],
    [{ hour: 24 }, 'hour'],
    [{ occasion: 'wedding' }, 'occasion'],
    [{ template_id: 'tpl_01k0fxw4mzejhtt6k1sqh3p5cg' }, 'template_id'],
    [{ name: '' }, 'name'],
    [{ tag: 'two\nlines' }, 'tag'],
  ] as const) {
    const { status, body } = await add(changes);
    assert.deepEqual([status, body.error.param], [422, param], JSON.stringify(changes));
  }
  const answers = await Promise.all(Array.from({ length: 5 }, () => add({})));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422, 422]);
  const kept = await admin.call('DELETE', yearly.at(`/gift-templates/${template_id}`));
  assert.deepEqual([kept.status, kept.body.error.code], [422, 'refused']);
  for (let n = 1; n < 20; n += 1) assert.equal((await add({ name: `No ${n}` })).status, 200);
  assert.deepEqual((await add({ name: 'Too many' })).body.error.param, 'name');
  const { rule_id } = answers.find(({ status }) => status === 200)?.body ?? {};
  assert.equal((await admin.call('DELETE', yearly.at(`/yearly-rules/${rule_id}`))).status, 204);
  assert.equal((await admin.call('DELETE', yearly.at(`/yearly-rules/${rule_id}`))).status, 404);
  assert.equal((await admin.call('PUT', yearly.at(`/yearly-rules/${rule_id}`), rule)).status, 404);
});
