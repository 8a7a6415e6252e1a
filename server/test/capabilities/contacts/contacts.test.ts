import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { exportRecipient } from '../../../src/capabilities/reports/export-recipient.ts';
import { assertError, emailGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

/** Contacts by the API (docs/contacts.md). */

const service = openForFile(() => startTestService());

const email = (name: string) => ({ method: 'email', email: `${name}@example.com` });

test('a contact is created, retrieved, and deleted', async () => {
  const { live } = await service.organization();
  const input = {
    delivery: { method: 'phone', phone: '+44 (0)20 7946 0018' },
    name: 'Ada Lovelace',
    language: 'de',
    tags: ['berlin', 'engineering', 'berlin'],
    external_id: 'employee-117',
    birthday: '1985-12-10',
    work_anniversary: '09-01',
  };
  const { status, body } = await live.put('/v1/contacts', input);
  assert.equal(status, 201);
  const { contact_id, created_at, changed_at, ...shown } = body;
  assert.match(contact_id, /^con_/);
  assert.equal(created_at, changed_at);
  assert.deepEqual(shown, {
    ...input,
    delivery: { method: 'phone', phone: '+442079460018' },
    tags: ['berlin', 'engineering'],
  });
  assert.deepEqual((await live.get(`/v1/contacts/${contact_id}`)).body, body);
  const deleted = await live.request('DELETE', `/v1/contacts/${contact_id}`);
  const nothing = { canceled_gifts: [], refunded: 0, withdrawn_requests: [] };
  assert.deepEqual([deleted.status, deleted.body], [200, { contact_id, deleted: true, ...nothing }]);
  assertError(await live.get(`/v1/contacts/${contact_id}`), 'resource_missing');
  assertError(await live.request('DELETE', `/v1/contacts/${contact_id}`), 'resource_missing');
});

test('saving again changes the one contact with the external id or address', async () => {
  const { live } = await service.organization();
  const first = await live.put('/v1/contacts', { delivery: email('ada'), name: 'Ada', tags: ['berlin'] });
  const again = await live.put('/v1/contacts', { delivery: email('ADA'), external_id: 'one' });
  assert.deepEqual(
    [again.status, again.body.contact_id, again.body.name, again.body.tags, again.body.external_id],
    [200, first.body.contact_id, 'Ada', ['berlin'], 'one'],
  );
  const moved = await live.put('/v1/contacts', {
    delivery: email('countess'),
    external_id: 'one',
    name: null,
    tags: [],
  });
  assert.deepEqual(
    [moved.body.contact_id, moved.body.delivery.email, moved.body.name, moved.body.tags],
    [first.body.contact_id, 'countess@example.com', null, []],
  );
  assert.equal((await live.get('/v1/contacts')).body.data.length, 1);
});

test('a repetition changes nothing and is not in the audit log', async () => {
  const { live, organizationUuid } = await service.organization();
  const input = { delivery: email('ada'), name: 'Ada', tags: ['b', 'a'], external_id: 'one' };
  const first = await live.put('/v1/contacts', input);
  await service.clock.jump(60_000);
  const again = await live.put('/v1/contacts', input);
  assert.deepEqual([first.status, again.status], [201, 200]);
  assert.deepEqual(again.body, first.body);
  const events = await service.sql(
    `select count(*)::int from audit_events where organization_id = $1 and action like 'contact.%'`,
    [organizationUuid],
  );
  assert.deepEqual(events, [{ count: 1 }]);
});

test('twenty requests at once make one contact', async () => {
  const { live } = await service.organization();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => live.put('/v1/contacts', { delivery: email('ada'), tags: [`${n}`] })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(new Set(answers.map(({ body }) => body.contact_id)).size, 1);
});

test('two people cannot have one address or external id', async () => {
  const { live, sandbox } = await service.organization();
  await live.put('/v1/contacts', { delivery: email('ada'), external_id: 'one' });
  await live.put('/v1/contacts', { delivery: email('grace'), external_id: 'two' });
  for (const external_id of ['two', 'three'])
    assertError(
      await live.put('/v1/contacts', { delivery: email('ADA'), external_id }),
      'parameter_invalid',
      'delivery',
    );
  assert.equal((await sandbox.put('/v1/contacts', { delivery: email('ada'), external_id: 'two' })).status, 201);
});

test('days that no calendar has, and impossible addresses, are refused', async () => {
  const { live, sandbox } = await service.organization();
  const refused = async (more: object, param: string) =>
    assertError(await live.put('/v1/contacts', { delivery: email('ada'), ...more }), 'parameter_invalid', param);
  await refused({ birthday: '1985-02-29' }, 'birthday');
  await refused({ birthday: '02-30' }, 'birthday');
  await refused({ birthday: '1985-2-3' }, 'birthday');
  await refused({ birthday: '1785-02-03' }, 'birthday');
  await refused({ work_anniversary: '04-31' }, 'work_anniversary');
  await refused({ tags: Array.from({ length: 21 }, (_, n) => `${n}`) }, 'tags');
  await refused({ tags: ['a', ' b'] }, 'tags[1]');
  await refused({ language: 'tlh' }, 'language');
  await refused({ delivery: { method: 'link' } }, 'delivery.method');
  const ofSandbox = { delivery: { method: 'email', email: 'delivered@sandbox.gift.test' } };
  assertError(await live.put('/v1/contacts', ofSandbox), 'parameter_invalid', 'delivery.email');
  assert.equal((await sandbox.put('/v1/contacts', ofSandbox)).status, 201);
  const leap = await live.put('/v1/contacts', {
    delivery: email('ada'),
    birthday: '02-29',
    work_anniversary: '2024-02-29',
  });
  assert.equal(leap.status, 201);
});

test('a birthday in the future is refused, and a first day of work is not', async () => {
  const { live } = await service.organization();
  const dayIn = (days: number) => new Date(service.clock.now() + days * 86_400_000).toISOString().slice(0, 10);
  const saved = (more: object) => live.put('/v1/contacts', { delivery: email('ada'), ...more });
  const refused = await saved({ birthday: dayIn(2) });
  assertError(refused, 'parameter_invalid', 'birthday');
  assert.equal(refused.body.error.message, 'birthday must not be in the future.');
  // It is tomorrow already in Auckland.
  assert.equal((await saved({ birthday: dayIn(1) })).status, 201);
  assert.equal((await saved({ birthday: '12-31', work_anniversary: dayIn(30) })).status, 200);
});

test('an environment has at most 50,000 contacts', async () => {
  const { live, sandbox, organizationUuid } = await service.organization();
  await service.sql(
    `insert into contacts (organization_id, environment, contact_id, method, address, tags, created_at, changed_at)
     select $1, 'live', gen_random_uuid(), 'email', n || '@example.com', '{}', now(), now() from generate_series(1, 50000) n`,
    [organizationUuid],
  );
  assertError(await live.put('/v1/contacts', { delivery: email('ada') }), 'parameter_invalid', 'delivery');
  assert.equal((await live.put('/v1/contacts', { delivery: email('7') })).status, 200);
  assert.equal((await sandbox.put('/v1/contacts', { delivery: email('ada') })).status, 201);
});

test('lists page from the newest, and filter by tag, external id and recipient', async () => {
  const { live, sandbox } = await service.organization();
  const ids: string[] = [];
  for (let n = 0; n < 25; n += 1) {
    const input = { delivery: email(`p${n}`), external_id: `e${n}`, tags: n % 2 === 0 ? ['even', 'all'] : ['all'] };
    ids.unshift((await live.put('/v1/contacts', input)).body.contact_id);
  }
  await sandbox.put('/v1/contacts', { delivery: email('p1'), tags: ['all'] });
  const read = async (query: string) => (await live.get(`/v1/contacts?${query}`)).body;
  const idsOf = (page: { data: { contact_id: string }[] }) => page.data.map(({ contact_id }) => contact_id);
  const pages: string[] = [];
  for (let after = ''; ; ) {
    const page = await read(`limit=10&tag=all${after}`);
    pages.push(...idsOf(page));
    if (!page.has_more) break;
    after = `&starting_after=${pages.at(-1)}`;
  }
  assert.deepEqual(pages, ids);
  assert.deepEqual(idsOf(await read(`limit=3&ending_before=${ids[5]}`)), ids.slice(2, 5));
  assert.deepEqual(
    idsOf(await read('limit=100&tag=even')),
    ids.filter((_, index) => index % 2 === 0),
  );
  assert.deepEqual(idsOf(await read('tag=Even')), []);
  assert.deepEqual(idsOf(await read('external_id=e3')), [ids[21]]);
  assert.deepEqual(idsOf(await read('recipient=P7%40example.com')), [ids[17]]);
  assert.deepEqual(idsOf(await read('external_id=e7&recipient=p7%40example.com&tag=all')), [ids[17]]);
  for (const none of ['external_id=e3&recipient=p7%40example.com', 'external_id=unknown', 'external_id=e7&tag=even'])
    assert.deepEqual(idsOf(await read(none)), [], none);
  assert.deepEqual(idsOf(await read(`external_id=e7&starting_after=${ids[17]}`)), []);
  const foreign = (await sandbox.get('/v1/contacts')).body.data[0].contact_id;
  assertError(await live.get(`/v1/contacts?starting_after=${foreign}`), 'cursor_invalid', 'starting_after');
});

test('an erasure deletes the person’s contacts, in live and sandbox', async () => {
  const { live, sandbox, organizationId } = await service.organization();
  for (const api of [live, sandbox]) {
    await api.put('/v1/contacts', { delivery: email('Ada'), name: 'Ada Lovelace', birthday: '1985-12-10' });
    await api.put('/v1/contacts', { delivery: email('grace') });
  }
  const recipient = email('aDa') as { method: 'email'; email: string };
  const held = await exportRecipient(service.service.deps, { organizationId, recipient, actor: OPERATOR });
  const [{ contacts }] = held.organizations as [{ contacts: { name: string; birthday: string }[] }];
  assert.deepEqual(
    contacts.map(({ name, birthday }) => [name, birthday]),
    [
      ['Ada Lovelace', '1985-12-10'],
      ['Ada Lovelace', '1985-12-10'],
    ],
  );
  const erased = await eraseRecipient(service.service.deps, { organizationId, recipient, actor: OPERATOR });
  assert.equal(erased.organizations, 1);
  for (const api of [live, sandbox])
    assert.deepEqual(
      (await api.get('/v1/contacts')).body.data.map((one: { delivery: object }) => one.delivery),
      [email('grace')],
    );
});

test('a reset deletes the contacts of the sandbox only', async () => {
  const { live, sandbox } = await service.organization();
  for (const api of [live, sandbox]) await api.put('/v1/contacts', { delivery: email('ada') });
  await sandbox.order([emailGift('someone')]);
  assert.equal((await sandbox.post('/v1/sandbox/reset')).status, 200);
  assert.deepEqual((await sandbox.get('/v1/contacts')).body.data, []);
  assert.equal((await live.get('/v1/contacts')).body.data.length, 1);
});
