import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { allowRequests, ask, giftTo, requestsPath } from '../../harness/gift-requests.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { memberWithRole } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import type { PortalClient } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { createYearly, newOrganization, type Yearly } from '../../harness/yearly.ts';

/** Every door by which people change says what it would do to gifts that are not sent, and what it did. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const HOUR_MS = 3_600_000;
/** Each test begins an hour later, because one address gets few codes an hour. */
let startMs = Date.parse('2026-11-21T12:00:00Z');
let organization: TestOrganization;
let yearly: Yearly;
let admin: PortalClient;

beforeEach(async () => {
  startMs += HOUR_MS;
  await service.clock.setTime(startMs);
  await service.sql('delete from portal.sessions');
  organization = await newOrganization(service);
  yearly = createYearly(service, organization);
  admin = await yearly.admin();
});

const email = (name: string) => ({ method: 'email', email: `${name}@example.com` });
const requests = async () => (await admin.call('GET', requestsPath(organization, '', 'live'))).body.data;
const contactOf = async (name: string) =>
  (await organization.live.get(`/v1/contacts?recipient=${name}@example.com`)).body.data[0];
const shown = async () =>
  (await yearly.calendar('2026-11')).data.map(({ state, address }: Record<string, string>) => `${state} ${address}`);

/** Ada’s and Grace’s gifts are approved, Joan’s waits for approval. */
async function threePeople(): Promise<string> {
  await yearly.addContacts({ ada: '11-25', grace: '11-26', joan: '11-27' }, { tags: ['berlin'] });
  const ruleId = await yearly.addRule({ mode: 'approval', yearly_limit: null, tag: 'berlin' });
  await yearly.run();
  for (const { gift_request_id, gifts } of await requests())
    if (gifts[0].address !== 'joan@example.com')
      await admin.call('POST', requestsPath(organization, `/${gift_request_id}/approve`, 'live'), {});
  assert.deepEqual(await shown(), [
    'scheduled ada@example.com',
    'scheduled grace@example.com',
    'requested joan@example.com',
  ]);
  return ruleId;
}

test('an import cancels and moves what its rows end, says so, and keeps it if that is asked', async () => {
  await threePeople();
  const ada = { delivery: email('ada'), tags: [] };
  const rows = [ada, { delivery: email('joan'), tags: [] }];
  const checked = (await admin.call('POST', yearly.at('/contacts/check'), { rows })).body.data;
  assert.deepEqual(
    checked.map(({ outcome, changes }: { outcome: string; changes: string[] }) => [outcome, changes]),
    [
      ['changed', ['tags']],
      ['changed', ['tags']],
    ],
  );
  const kept = await admin.call('POST', yearly.at('/contacts/import?unsent_gifts=keep'), { rows: [ada] });
  assert.deepEqual(kept.body.unsent, { canceled_gifts: 0, refunded: 0, withdrawn_requests: 0, moved: 0 });
  const grace = { ...(await contactOf('grace')), delivery: email('countess') };
  await organization.live.put('/v1/contacts', { delivery: email('grace'), external_id: 'E-2' });
  const more = [...rows, { delivery: grace.delivery, external_id: 'E-2' }];
  const { body } = await admin.call('POST', yearly.at('/contacts/import'), { rows: more });
  assert.deepEqual(body.unsent, { canceled_gifts: 0, refunded: 0, withdrawn_requests: 1, moved: 1 });
  assert.deepEqual((await shown()).slice(0, 2), ['scheduled ada@example.com', 'scheduled countess@example.com']);
  await verifyAll(service);
});

test('a list that replaces names what it cancels, and keeps it if that is asked', async () => {
  await threePeople();
  const contacts = await Promise.all(['ada', 'grace', 'joan'].map(contactOf));
  const named = contacts.map(({ contact_id, changed_at }) => ({ contact_id, changed_at }));
  const ids = { contact_ids: named.map(({ contact_id }) => contact_id) };
  const { body: unsent } = await admin.call('POST', yearly.at('/contacts/unsent-gifts'), ids);
  assert.deepEqual([unsent.gifts, unsent.requests, unsent.amount], [2, 1, 5000]);
  const settle = (some: object[], unsent_gifts?: string) =>
    admin.call('POST', yearly.at('/contacts/missing/settle'), { act: 'delete', contacts: some, unsent_gifts });
  assert.equal((await settle(named.slice(0, 1), 'keep')).body.unsent.canceled_gifts, 0);
  assert.deepEqual((await settle(named.slice(1))).body.unsent, {
    canceled_gifts: 1,
    refunded: 2500,
    withdrawn_requests: 1,
    moved: 0,
  });
  assert.deepEqual(await shown(), [
    'scheduled ada@example.com',
    'canceled grace@example.com',
    'canceled joan@example.com',
  ]);
  await verifyAll(service);
});

test('a rule names those whom another tag would not reach, and its day stays', async () => {
  const ruleId = await threePeople();
  await organization.live.put('/v1/contacts', { delivery: email('grace'), tags: ['berlin', 'team'] });
  const unsent = async (query: string) =>
    (await admin.call('GET', yearly.at(`/yearly-rules/${ruleId}/unsent-gifts${query}`))).body.data.map(
      ({ address }: { address: string }) => address,
    );
  assert.deepEqual(await unsent(''), ['ada@example.com', 'grace@example.com', 'joan@example.com']);
  assert.deepEqual(await unsent('?next=tag&tag=team'), ['ada@example.com', 'joan@example.com']);
  assert.deepEqual(await unsent('?next=all'), []);
  await assert.rejects(yearly.changeRule(ruleId, { occasion: 'work_anniversary' }), /The day of a rule stays/);
});

test('who changes a rule or a template that another person changed meanwhile is told, and changes nothing', async () => {
  const template_id = await yearly.addTemplate();
  const ruleId = await yearly.addRule({ template_id });
  const ruleNow = async () => (await admin.call('GET', yearly.at('/yearly-rules'))).body.data[0];
  const { changed_at: seenAt } = await ruleNow();
  const templates = (await admin.call('GET', yearly.at('/gift-templates'))).body.data;
  await service.clock.jump(1_000);
  await yearly.changeRule(ruleId, { yearly_limit: 2_500 });
  const { rule_id: _, ...rule } = await ruleNow();
  const input = Object.fromEntries(
    ['name', 'tag', 'occasion', 'template_id', 'time_zone', 'hour', 'mode', 'is_paused'].map((name) => [
      name,
      rule[name],
    ]),
  );
  const late = await admin.call('PUT', yearly.at(`/yearly-rules/${ruleId}?seen_at=${seenAt}`), {
    ...input,
    yearly_limit: 5_000,
  });
  assert.deepEqual([late.status, late.body.error.code], [409, 'resource_locked']);
  assert.equal((await ruleNow()).yearly_limit, 2_500);
  const [{ template_id: id, changed_at, ...texts }] = templates;
  assert.equal((await admin.call('PUT', yearly.at(`/gift-templates/${id}`), { ...texts, amount: 3_000 })).status, 200);
  const lateToo = await admin.call('PUT', yearly.at(`/gift-templates/${id}?seen_at=${changed_at}`), texts);
  assert.equal(lateToo.body.error.code, 'resource_locked');
});

test('a request of a member follows the corrected address, and the member hears if it is withdrawn', async () => {
  await allowRequests(admin, organization);
  const member = await memberWithRole(service, organization, 'member', `m${startMs}@example.com`);
  await yearly.addContacts({ ada: '01-25' });
  const { contact_id } = await contactOf('ada');
  const id = await ask(member, requestsPath(organization, '', 'live'), giftTo('ada@example.com'));
  const one = yearly.at(`/contacts/${contact_id}`);
  const { body } = await admin.call('PUT', one, { delivery: email('countess') });
  assert.equal(body.unsent.moved, 1);
  assert.equal((await requests())[0].gifts[0].address, 'countess@example.com');
  const { body: removed } = await admin.call('DELETE', one);
  assert.deepEqual(removed.withdrawn_requests, [id]);
  const mails = await yearly.mails('gift_request_decided');
  assert.deepEqual(
    mails.map(({ recipient, details }) => [recipient, details['state'], details['reason']]),
    [[`m${startMs}@example.com`, 'withdrawn', 'The contact was deleted.']],
  );
});

test('a request at its new address is approved to it, once', async () => {
  await allowRequests(admin, organization);
  const member = await memberWithRole(service, organization, 'member', `n${startMs}@example.com`);
  await yearly.addContacts({ ada: '01-25' });
  const { contact_id } = await contactOf('ada');
  const id = await ask(member, requestsPath(organization, '', 'live'), giftTo('ada@example.com'));
  const move = (name: string) =>
    admin.call('PUT', yearly.at(`/contacts/${contact_id}`), { delivery: email(name) }).then(({ status }) => status);
  const approve = () => admin.call('POST', requestsPath(organization, `/${id}/approve`, 'live'), {});
  const [status] = await Promise.all([move('countess'), approve(), approve()]);
  assert.ok(status === 200 || status === 409, String(status));
  assert.equal((await requests())[0].state, 'approved');
  const bought = await yearly.bought();
  assert.equal(bought.length, 1);
  if (status === 409) assert.deepEqual(bought, ['ada@example.com']);
  await verifyAll(service);
});
