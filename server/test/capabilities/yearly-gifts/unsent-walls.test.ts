import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { sendDueGifts } from '../../../src/core/gifts/schedule/send-waiting.ts';
import type { MemberPermission } from '../../../src/platform/authentication/permissions.ts';
import { requestsPath } from '../../harness/gift-requests.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { memberWithRole, type RoleMember } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { createYearly, newOrganization, type Yearly } from '../../harness/yearly.ts';

/** Who changes contacts and rules moves and cancels no more than their role says. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const HOUR_MS = 3_600_000;
/** Each test begins an hour later, because one address gets few codes an hour. */
let startMs = Date.parse('2026-11-21T12:00:00Z');
const ADDRESS = 'ada@example.com';
let organization: TestOrganization;
let yearly: Yearly;
let contactId: string;
let ruleId: string;

beforeEach(async () => {
  startMs += HOUR_MS;
  await service.clock.setTime(startMs);
  await service.sql('delete from portal.sessions');
  organization = await newOrganization(service);
  yearly = createYearly(service, organization);
  await yearly.addContacts({ ada: '11-26' });
  ruleId = await yearly.addRule({ mode: 'approval', yearly_limit: null });
  await yearly.run();
  await approveAll();
  contactId = (await organization.live.get(`/v1/contacts?recipient=${ADDRESS}`)).body.data[0].contact_id;
});

async function approveAll(): Promise<void> {
  const admin = await yearly.admin();
  const { data } = (await admin.call('GET', requestsPath(organization, '', 'live'))).body;
  for (const { gift_request_id, state } of data)
    if (state === 'open')
      await admin.call('POST', requestsPath(organization, `/${gift_request_id}/approve`, 'live'), {});
}

async function person(permissions: readonly MemberPermission[]): Promise<RoleMember> {
  const path = `/organizations/${organization.organizationId}/roles`;
  const { body } = await (await yearly.admin()).call('POST', path, { name: randomUUID(), permissions });
  return memberWithRole(service, organization, body.role_id, `${randomUUID()}@example.com`);
}

const contact = () => yearly.at(`/contacts/${contactId}`);
const moved = { delivery: { method: 'email', email: 'mine@example.com' } };
const shown = async () =>
  (await yearly.calendar('2026-11')).data.map(({ state, address }: Record<string, string>) => `${state} ${address}`);
const sent = async () => {
  await yearly.runAt('2026-11-26T09:00:00Z');
  await sendDueGifts(service.service.deps);
  await verifyAll(service);
  const rows = await service.sql<{ address: string }>(
    'select address from gifts where organization_id = $1 and canceled_at is null and is_waiting is null',
    [organization.organizationUuid],
  );
  return rows.map(({ address }) => address);
};

test('who may not redirect gifts moves no approved gift to another address', async () => {
  const editor = await person(['gifts', 'others', 'people', 'settings']);
  assert.equal((await editor.call('PUT', contact(), moved)).status, 200);
  await yearly.run();
  assert.deepEqual(await shown(), ['requested mine@example.com']);
  assert.deepEqual(await sent(), []);
});

test('who may redirect gifts moves it with a sign-in of now', async () => {
  const editor = await person(['gifts', 'others', 'people', 'settings', 'manage']);
  await service.clock.setTime(startMs + HOUR_MS / 3);
  const late = await editor.call('PUT', contact(), moved);
  assert.deepEqual([late.status, late.body.error.code], [403, 'sign_in_again']);
  assert.deepEqual(await shown(), [`scheduled ${ADDRESS}`]);
  await service.clock.setTime(startMs);
  assert.equal((await editor.call('PUT', contact(), moved)).status, 200);
  assert.deepEqual(await sent(), ['mine@example.com']);
});

test('who may not cancel gifts deletes no gift of an order, but those of rules', async () => {
  const editor = await person(['gifts', 'others', 'people', 'settings']);
  const gift = { amount: 2500, category: 'coffee', delivery: { method: 'email', email: ADDRESS } };
  await organization.live.order([{ ...gift, send_at: '2026-11-26T09:00:00Z' }]);
  const { body: unsent } = await editor.call('POST', yearly.at('/contacts/unsent-gifts'), { contact_ids: [contactId] });
  assert.deepEqual(
    [unsent.gifts, unsent.amount, unsent.may_move, unsent.data.map((one: { may_end: boolean }) => one.may_end).sort()],
    [2, 5000, false, [false, true]],
  );
  const { status, body } = await editor.call('DELETE', contact());
  assert.deepEqual([status, body.canceled_gifts.length, body.refunded], [200, 1, 2500]);
  assert.deepEqual(await sent(), [ADDRESS]);
});

test('who may not cancel gifts skips no gift that is ordered', async () => {
  const sender = await memberWithRole(service, organization, 'sender', `${randomUUID()}@example.com`);
  const body = { rule_id: ruleId, contact_id: contactId, year: 2026, is_skipped: true };
  const refused = await sender.call('PUT', yearly.at('/yearly-gifts/skips'), body);
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'admin_required']);
  assert.match(refused.body.error.message, /^This gift is ordered already\./);
  assert.deepEqual(await sent(), [ADDRESS]);
});

test('a person who changes a contact can cancel its gift of the year, or keep it', async () => {
  const admin = await yearly.admin();
  assert.equal((await admin.call('PUT', `${contact()}?unsent_gifts=keep`, moved)).status, 200);
  assert.deepEqual(await shown(), [`scheduled ${ADDRESS}`]);
  const back = { delivery: { method: 'email', email: ADDRESS }, birthday: '11-27' };
  assert.equal((await admin.call('PUT', `${contact()}?unsent_gifts=cancel`, back)).status, 200);
  assert.deepEqual(await shown(), [`skipped ${ADDRESS}`]);
  await yearly.run();
  assert.deepEqual(await sent(), []);
});

test('a request that was kept says why it is in doubt', async () => {
  await yearly.addContacts({ grace: '11-27' });
  await yearly.runAt('2026-11-22T09:00:00Z');
  const { data } = (await organization.live.get('/v1/contacts?recipient=grace@example.com')).body;
  await organization.live.request('DELETE', `/v1/contacts/${data[0].contact_id}?unsent_gifts=keep`);
  const requests = (await (await yearly.admin()).call('GET', requestsPath(organization, '', 'live'))).body.data;
  assert.deepEqual([requests[0].state, requests[0].doubt], ['open', 'removed']);
  assert.deepEqual(requests[0].rule, { name: 'Rule 1', occasion: 'birthday' });
});
