import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { exportRecipient } from '../../../src/capabilities/reports/export-recipient.ts';
import { sendDueGifts } from '../../../src/core/gifts/schedule/send-waiting.ts';
import { requestsPath } from '../../harness/gift-requests.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { createYearly, newOrganization, type Yearly } from '../../harness/yearly.ts';

/** A yearly gift is a person's: who leaves gets none, who moves gets it at the new address, and no one gets two. */

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

const ADA = { delivery: { method: 'email', email: 'ada@example.com' }, external_id: 'E-1', birthday: '11-26' };
const put = async (changes: object = {}) => {
  const { status, body } = await organization.live.put('/v1/contacts', { ...ADA, ...changes });
  assert.ok(status < 300, JSON.stringify(body));
  return body as { contact_id: string };
};
const remove = async (contactId: string, query = '') => {
  const { status, body } = await organization.live.request('DELETE', `/v1/contacts/${contactId}${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const requests = async (): Promise<{ gift_request_id: string; state: string; gifts: { address: string }[] | null }[]> =>
  (await (await yearly.admin()).call('GET', requestsPath(organization, '', 'live'))).body.data;
const states = async () => (await requests()).map(({ state }) => state);
const approve = async (id: string) =>
  (await yearly.admin()).call('POST', requestsPath(organization, `/${id}/approve`, 'live'), {});
const approveOpen = async () => {
  for (const { gift_request_id, state } of await requests())
    if (state === 'open') assert.equal((await approve(gift_request_id)).status, 200);
};
/** The calendar: state, address, day. */
const shown = async (month = '2026-11') =>
  (await yearly.calendar(month)).data.map((gift: Record<string, unknown>) =>
    [gift['state'], gift['address'], gift['date']].join(' '),
  );
/** Lets the days pass, and returns the addresses of all gifts that went out. */
const sentUntil = async (...days: string[]) => {
  for (const day of days) {
    await yearly.runAt(`${day}T09:00:00Z`);
    await approveOpen();
    await sendDueGifts(service.service.deps);
  }
  const rows = await service.sql<{ address: string }>(
    `select address from gifts where organization_id = $1 and canceled_at is null and is_waiting is null order by address`,
    [organization.organizationUuid],
  );
  await verifyAll(service);
  return rows.map(({ address }) => address);
};
const WITH_APPROVAL = { mode: 'approval', yearly_limit: null };
/** Ada has a gift that is approved, and goes out on 26 November. */
const withApprovedGift = async (changes: object = {}) => {
  const { contact_id } = await put(changes);
  const ruleId = await yearly.addRule(WITH_APPROVAL);
  await yearly.run();
  await approveOpen();
  assert.deepEqual(await shown(), ['scheduled ada@example.com 2026-11-26']);
  return { contactId: contact_id, ruleId };
};

test('who is deleted gets no approved gift, and its value returns', async () => {
  const { contactId } = await withApprovedGift();
  const { canceled_gifts, ...answer } = await remove(contactId);
  assert.deepEqual(answer, { contact_id: contactId, deleted: true, refunded: 2500, withdrawn_requests: [] });
  const gift = (await organization.live.get(`/v1/gifts/${canceled_gifts[0]}`)).body;
  assert.deepEqual([gift.cancellation.reason, gift.cancellation.refunded], ['The contact was deleted.', 2500]);
  assert.deepEqual(await shown(), ['canceled ada@example.com 2026-11-26']);
  assert.deepEqual(await sentUntil('2026-11-26', '2026-11-28'), []);
});

test('a gift is kept for who is deleted, if the caller says so', async () => {
  const { contactId } = await withApprovedGift();
  const { canceled_gifts, refunded } = await remove(contactId, '?unsent_gifts=keep');
  assert.deepEqual([canceled_gifts, refunded], [[], 0]);
  await put();
  assert.deepEqual(await sentUntil('2026-11-25', '2026-11-26'), ['ada@example.com']);
  const { body } = await organization.live.request('DELETE', `/v1/contacts/${contactId}?unsent_gifts=perhaps`);
  assert.equal(body.error.param, 'unsent_gifts');
});

test('a request for who is deleted, or meant no more, is withdrawn and cannot be approved', async () => {
  const { contact_id } = await put({ tags: ['team'] });
  const grace = { delivery: { method: 'email', email: 'grace@example.com' }, external_id: 'E-2', tags: ['team'] };
  await put(grace);
  await yearly.addRule({ ...WITH_APPROVAL, tag: 'team' });
  await yearly.run();
  assert.deepEqual(await states(), ['open', 'open']);
  const asked = await requests();
  assert.equal((await remove(contact_id)).withdrawn_requests.length, 1);
  await put({ ...grace, tags: ['other'] });
  assert.deepEqual(await states(), ['withdrawn', 'withdrawn']);
  for (const { gift_request_id } of asked) assert.equal((await approve(gift_request_id)).body.error.code, 'refused');
  assert.deepEqual(await sentUntil('2026-11-26', '2026-11-28'), []);
  await put(grace);
  assert.deepEqual(await sentUntil('2026-11-29'), []);
});

for (const [how, changes] of [
  ['with the same external id', {}],
  ['with another address', { delivery: { method: 'email', email: 'countess@example.com' } }],
  ['with another external id', { external_id: 'E-9' }],
  ['without an external id', { external_id: null }],
] as const)
  test(`who is deleted and added ${how} has one gift of the year`, async () => {
    const { contactId } = await withApprovedGift();
    await remove(contactId);
    const { contact_id } = await put(changes);
    const address = 'delivery' in changes ? changes.delivery.email : 'ada@example.com';
    assert.deepEqual(await sentUntil('2026-11-22', '2026-11-26'), [address]);
    await remove(contact_id);
    await put({ ...changes, birthday: '12-24' });
    assert.deepEqual(await sentUntil('2026-12-20', '2026-12-24', '2026-12-28'), [address]);
    assert.deepEqual(await sentUntil('2027-12-20', '2027-12-24'), [address, address]);
  });

test('a skipped year stays skipped for who is deleted and added again', async () => {
  const { contact_id } = await put();
  const rule_id = await yearly.addRule();
  await yearly.run();
  const skip = (contactId: string, is_skipped: boolean) =>
    yearly
      .admin()
      .then((admin) =>
        admin.call('PUT', yearly.at('/yearly-gifts/skips'), { rule_id, contact_id: contactId, year: 2026, is_skipped }),
      );
  assert.equal((await skip(contact_id, true)).status, 204);
  await remove(contact_id);
  const again = await put();
  assert.deepEqual(await shown(), ['skipped ada@example.com 2026-11-26']);
  assert.deepEqual(await sentUntil('2026-11-23'), []);
  assert.equal((await skip(again.contact_id, false)).status, 204);
  assert.deepEqual(await sentUntil('2026-11-24', '2026-11-26'), ['ada@example.com']);
});

test('an approved gift goes to the new address of a contact', async () => {
  const { contactId } = await withApprovedGift();
  const { contact_id } = await put({ delivery: { method: 'phone', phone: '+12025550142' } });
  assert.equal(contact_id, contactId);
  assert.deepEqual(await shown(), ['scheduled +12025550142 2026-11-26']);
  assert.deepEqual(await sentUntil('2026-11-24', '2026-11-26', '2026-11-28'), ['+12025550142']);
});

test('a request is asked again at the new address, and once', async () => {
  await put();
  await yearly.addRule(WITH_APPROVAL);
  await yearly.run();
  const [before] = await requests();
  await put({ delivery: { method: 'email', email: 'new@example.com' } });
  await Promise.all([yearly.run(), yearly.run()]);
  assert.deepEqual(await states(), ['open', 'withdrawn']);
  assert.equal((await requests())[0]?.gifts?.[0]?.address, 'new@example.com');
  assert.equal((await approve(before?.gift_request_id ?? '')).body.error.code, 'refused');
  assert.deepEqual(await sentUntil('2026-11-23', '2026-11-26'), ['new@example.com']);
});

test('an approved gift follows a corrected birthday, and its amount returns until then', async () => {
  await withApprovedGift();
  await put({ birthday: '12-24' });
  assert.deepEqual(await shown(), ['canceled ada@example.com 2026-11-26']);
  assert.deepEqual(await shown('2026-12'), ['coming ada@example.com 2026-12-24']);
  assert.deepEqual(await sentUntil('2026-11-26', '2026-11-28'), []);
  assert.deepEqual(await sentUntil('2026-12-18'), []);
  assert.deepEqual(await shown(), []);
  assert.deepEqual(await shown('2026-12'), ['scheduled ada@example.com 2026-12-24']);
  assert.deepEqual(await sentUntil('2026-12-24'), ['ada@example.com']);
});

test('a paused rule sends no approved gift, and sends it once if it goes on before the day', async () => {
  const { ruleId } = await withApprovedGift();
  await yearly.changeRule(ruleId, { is_paused: true });
  assert.deepEqual(await shown(), ['canceled ada@example.com 2026-11-26']);
  await yearly.changeRule(ruleId, { is_paused: false });
  assert.deepEqual(await sentUntil('2026-11-24'), []);
  assert.deepEqual(await shown(), ['scheduled ada@example.com 2026-11-26']);
  await yearly.changeRule(ruleId, { is_paused: true });
  await sentUntil('2026-11-26');
  await yearly.changeRule(ruleId, { is_paused: false });
  assert.deepEqual(await sentUntil('2026-11-27', '2026-11-28'), []);
});

test('a rule that is deleted, or has another tag, sends no approved gift', async () => {
  const { ruleId } = await withApprovedGift({ tags: ['team'] });
  await yearly.changeRule(ruleId, { tag: 'other' });
  assert.deepEqual(await shown(), ['canceled ada@example.com 2026-11-26']);
  await yearly.changeRule(ruleId, { tag: 'team' });
  await sentUntil('2026-11-23');
  assert.deepEqual(await shown(), ['scheduled ada@example.com 2026-11-26']);
  assert.equal((await (await yearly.admin()).call('DELETE', yearly.at(`/yearly-rules/${ruleId}`))).status, 204);
  assert.deepEqual(await sentUntil('2026-11-26'), []);
});

test('an approved gift can be skipped, and comes again', async () => {
  const { contactId, ruleId } = await withApprovedGift();
  const skip = async (is_skipped: boolean) => {
    const body = { rule_id: ruleId, contact_id: contactId, year: 2026, is_skipped };
    return (await (await yearly.admin()).call('PUT', yearly.at('/yearly-gifts/skips'), body)).status;
  };
  assert.equal(await skip(true), 204);
  assert.deepEqual(await shown(), ['skipped ada@example.com 2026-11-26']);
  assert.deepEqual(await sentUntil('2026-11-22'), []);
  assert.equal(await skip(false), 204);
  assert.deepEqual(await sentUntil('2026-11-23', '2026-11-26'), ['ada@example.com']);
  assert.equal(await skip(true), 422);
});

test('a deletion, an approval and the work of a minute at the same moment leave one truth', async () => {
  for (let round = 0; round < 8; round += 1) {
    const email = `race-${round}@example.com`;
    const { contact_id } = await put({ delivery: { method: 'email', email }, external_id: `R-${round}` });
    const rule = await yearly.addRule({ ...WITH_APPROVAL, name: `Race ${round}` });
    await yearly.run();
    const open = (await requests()).find(({ state }) => state === 'open');
    const [, deleted] = await Promise.all([
      approve(open?.gift_request_id ?? ''),
      organization.live.request('DELETE', `/v1/contacts/${contact_id}`),
      yearly.run(),
    ]);
    assert.ok([200, 409].includes(deleted.status), JSON.stringify(deleted.body));
    if (deleted.status === 409) await remove(contact_id);
    assert.equal((await (await yearly.admin()).call('DELETE', yearly.at(`/yearly-rules/${rule}`))).status, 204);
  }
  assert.deepEqual(await sentUntil('2026-11-26', '2026-11-28'), []);
});

test('a deletion at the moment in which gifts are sent leaves one gift of the year', async () => {
  const people = Array.from({ length: 6 }, (_, n) => ({
    delivery: { method: 'email', email: `sent-${n}@example.com` },
    external_id: `S-${n}`,
  }));
  const ids = [];
  for (const person of people) ids.push((await put(person)).contact_id);
  await yearly.addRule(WITH_APPROVAL);
  await yearly.run();
  await approveOpen();
  await service.clock.setTime(Date.parse('2026-11-26T09:00:00Z'));
  await Promise.all([
    sendDueGifts(service.service.deps),
    ...ids.map((id) => organization.live.request('DELETE', `/v1/contacts/${id}`)),
  ]);
  // Added again with a day that is still ahead.
  for (const person of people) await put({ ...person, birthday: '12-10' });
  const sent = await sentUntil('2026-11-27', '2026-12-08', '2026-12-10', '2026-12-12');
  assert.equal(new Set(sent).size, sent.length, sent.join());
});

test('a gift that a person kept stays, also when the rule or the contact is changed later', async () => {
  const { contactId, ruleId } = await withApprovedGift({ tags: ['team'] });
  const admin = await yearly.admin();
  const untagged = { delivery: ADA.delivery, tags: [] };
  await yearly.changeRule(ruleId, { tag: 'team' });
  assert.equal((await admin.call('PUT', yearly.at(`/contacts/${contactId}?unsent_gifts=keep`), untagged)).status, 200);
  await put({ name: 'Ada' });
  await yearly.changeRule(ruleId, { name: 'Renamed' });
  assert.deepEqual(await sentUntil('2026-11-26'), ['ada@example.com']);
});

test('a scheduled gift of an order is canceled too, and one that was sent is not', async () => {
  const { contact_id } = await put();
  const gift = { amount: 2500, category: 'coffee', delivery: ADA.delivery };
  const order = (send_at?: string) => organization.live.order([{ ...gift, ...(send_at !== undefined && { send_at }) }]);
  assert.equal((await order()).status, 201);
  assert.equal((await order('2026-11-30T09:00:00Z')).status, 201);
  assert.equal((await remove(contact_id)).canceled_gifts.length, 1);
  assert.deepEqual(await sentUntil('2026-11-30'), ['ada@example.com']);
});

test('an export has the yearly gifts of a person who was deleted, and an erasure forgets them', async () => {
  const { contactId } = await withApprovedGift();
  await remove(contactId);
  const recipient = { method: 'email', email: 'ADA@example.com' } as const;
  const { organizationId } = organization;
  const held = await exportRecipient(service.service.deps, { organizationId, recipient, actor: OPERATOR });
  const [{ yearly_gifts: gifts, contacts }] = held.organizations as [{ yearly_gifts: object[]; contacts: object[] }];
  assert.deepEqual([gifts.length, contacts], [1, []]);
  await eraseRecipient(service.service.deps, { organizationId, recipient, actor: OPERATOR });
  assert.deepEqual(await shown(), []);
  assert.deepEqual(await service.sql('select from yearly_gifts where address is not null'), []);
});
