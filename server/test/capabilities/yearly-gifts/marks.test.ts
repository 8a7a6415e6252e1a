import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { createYearly, newOrganization, type Yearly } from '../../harness/yearly.ts';

/** Marks such as `{first_name}` in the message of a template, filled for each person of a rule. */

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

const addRule = async (message: string, more: object = {}, changes: object = {}) =>
  yearly.addRule({ template_id: await yearly.addTemplate(2500, { message, ...more }), ...changes });
const messages = async () =>
  (await organization.live.get('/v1/gifts')).body.data.map(
    ({ personalization }: { personalization: { message?: string } }) => personalization.message,
  );
const states = async () => (await yearly.gifts()).map(({ state, reason }) => [state, reason]);

test('each person reads their own name, years and occasion, in their language', async () => {
  await yearly.addContacts({ ada: '1985-11-22' }, { name: 'Ada Lovelace', language: 'de' });
  await yearly.addContacts({ grace: '1990-11-23' }, { name: 'Grace Hopper' });
  await addRule('{first_name}: {occasion}, {years}, {amount}, {sender}', { sender_name: 'Your team', language: 'fr' });
  await yearly.run();
  await yearly.runAt('2026-11-23T12:00:00Z');
  assert.deepEqual(await messages(), [
    'Grace: anniversaire, 36, 25,00\u00a0$US, Your team',
    'Ada: Geburtstag, 41, 25,00\u00a0$, Your team',
  ]);
});

test('a person without what a mark needs waits, the admins hear it, and the gift is sent once it is there', async () => {
  await yearly.addContacts({ ada: '11-22' }, { name: null });
  await addRule('Happy birthday, {first_name}!');
  await yearly.run();
  await yearly.runAt('2026-11-22T09:00:00Z');
  assert.deepEqual(await states(), [['waiting', 'mark_without_word']]);
  assert.equal((await yearly.mails('yearly_gifts_waiting'))[0]?.details['reason'], 'mark_without_word');
  await yearly.addContacts({ ada: '11-22' }, { name: 'Ada Lovelace' });
  await yearly.runAt('2026-11-22T09:20:00Z');
  assert.deepEqual(await messages(), ['Happy birthday, Ada!']);
});

test('a message that is too long once it is filled waits, and nothing is cut', async () => {
  await yearly.addContacts({ ada: '11-22' }, { name: 'A'.repeat(200) });
  await addRule(`${'x'.repeat(400)} {name}`);
  await yearly.run();
  await yearly.runAt('2026-11-22T09:00:00Z');
  assert.deepEqual(await states(), [['waiting', 'message_too_long']]);
});

test('an approver reads the message as it will be sent', async () => {
  await yearly.addContacts({ ada: '11-25' }, { name: '<b>Ada</b> {sender}' });
  await addRule('Dear {name}', {}, { mode: 'approval', yearly_limit: null });
  await yearly.run();
  const { body } = await (await yearly.admin()).call('GET', yearly.at('/gift-requests?state=open'));
  assert.equal(body.data[0].gifts[0].message, 'Dear <b>Ada</b> {sender}');
});

test('over /v1 a message is sent as it was written', async () => {
  const gift = { amount: 2500, category: 'coffee', delivery: { method: 'link' } };
  const message = 'Hi {first_name}, {unknown}, [Name]';
  const gifts = [{ ...gift, personalization: { message } }];
  await organization.live.post('/v1/orders', { gifts }, { 'Idempotency-Key': 'as-written' });
  assert.deepEqual(await messages(), [message]);
});
