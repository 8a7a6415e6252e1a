import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowRequests } from '../../harness/gift-requests.ts';
import { memberWithRole } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** Contacts in the portal (docs/contacts.md). */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const added = openForFile(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));

const at = (rest = '', environment = 'live') =>
  `/organizations/${organization.organizationId}/${environment}/contacts${rest}`;
const NOTHING = { canceled_gifts: 0, refunded: 0, withdrawn_requests: 0, moved: 0 };
const email = (name: string) => ({ method: 'email', email: `${name}@example.com` });

test('an admin adds, edits and deletes a contact', async () => {
  const { status, body } = await admin.call('POST', at(), { delivery: email('ada'), name: 'Ada', tags: ['berlin'] });
  assert.equal(status, 200);
  const one = at(`/${body.contact_id}`);
  const changed = await admin.call('PUT', one, { delivery: email('countess'), tags: [], birthday: '12-10' });
  assert.deepEqual(
    [changed.body.contact_id, changed.body.delivery.email, changed.body.name, changed.body.tags, changed.body.birthday],
    [body.contact_id, 'countess@example.com', 'Ada', [], '12-10'],
  );
  await admin.call('POST', at(), { delivery: email('grace') });
  const taken = await admin.call('PUT', one, { delivery: email('grace') });
  assert.deepEqual([taken.status, taken.body.error.param], [422, 'delivery']);
  assert.equal((await admin.call('DELETE', one)).status, 200);
  assert.equal((await admin.call('PUT', one, { delivery: email('ada') })).status, 404);
  assert.deepEqual(
    (await admin.call('GET', at())).body.data.map((contact: { delivery: object }) => contact.delivery),
    [email('grace')],
  );
});

test('adding a contact that there is changes nothing and says so', async () => {
  const given = { delivery: email('dup'), name: 'Original', external_id: 'D-1', tags: ['vip'], birthday: '12-05' };
  const { contact_id } = (await admin.call('POST', at(), given)).body;
  for (const [input, param] of [
    [{ delivery: email('DUP'), name: 'Again' }, 'delivery'],
    [{ delivery: email('new'), external_id: 'D-1' }, 'external_id'],
    [{ delivery: email('dup'), external_id: 'D-2' }, 'delivery'],
  ] as const) {
    const { status, body } = await admin.call('POST', at(), input);
    assert.deepEqual([status, body.error.param], [422, param]);
  }
  const { body } = await organization.live.get(`/v1/contacts/${contact_id}`);
  assert.deepEqual({ ...body, ...given }, body);
});

test('an edit changes the fields that it names, also of a person who sees the rest masked', async () => {
  const given = { delivery: email('masked'), name: 'Masked', external_id: 'M-1', birthday: '12-05' };
  const { contact_id } = (await admin.call('POST', at(), given)).body;
  const role = { name: 'Masked sender', permissions: ['gifts', 'others', 'order', 'settings'] };
  const { role_id } = (await admin.call('POST', `/organizations/${organization.organizationId}/roles`, role)).body;
  const person = await memberWithRole(service, organization, role_id, 'masked-sender@example.com');
  const { status } = await person.call('PUT', at(`/${contact_id}`), { tags: ['seen'] });
  assert.equal(status, 200);
  const { body } = await organization.live.get(`/v1/contacts/${contact_id}`);
  assert.deepEqual({ ...body, ...given, tags: ['seen'] }, body);
});

test('the list searches names, addresses and references, and filters by a tag', async () => {
  const rows = [
    { delivery: email('alan'), name: 'Alan Turing', tags: ['berlin', 'team'], external_id: 'E-1' },
    { delivery: { method: 'phone', phone: '+12025550142' }, name: 'Zoë', tags: ['team'] },
  ];
  assert.equal((await admin.call('POST', at('/import', 'sandbox'), { rows })).status, 200);
  const found = async (query: string) =>
    (await admin.call('GET', at(`?${query}`, 'sandbox'))).body.data.map(({ name }: { name: string }) => name);
  assert.deepEqual(await found('query=TURING'), ['Alan Turing']);
  assert.deepEqual(await found('query=alan%40EX'), ['Alan Turing']);
  assert.deepEqual(await found('query=e-1'), ['Alan Turing']);
  assert.deepEqual(await found('query=Zoe%CC%88'), ['Zoë']);
  assert.deepEqual(await found('tag=team'), ['Zoë', 'Alan Turing']);
  assert.deepEqual(await found('tag=berlin&query=z'), []);
  assert.deepEqual((await admin.call('GET', at('/tags', 'sandbox'))).body.data, [
    { tag: 'team', contacts: 2 },
    { tag: 'berlin', contacts: 1 },
  ]);
});

test('an import saves the rows that are right, and names the fault of each other', async () => {
  const rows = [
    { delivery: email('one'), external_id: 'one' },
    { delivery: email('two'), birthday: '02-30' },
    { delivery: { method: 'email', email: 'three' } },
    { delivery: email('ONE'), name: 'Again' },
    { delivery: email('five'), tags: ['a', ''] },
    { delivery: email('six') },
  ];
  const send = () => admin.call('POST', at('/import'), { rows });
  const { body } = await send();
  assert.deepEqual([body.added, body.changed, body.unchanged], [2, 0, 0]);
  assert.deepEqual(
    body.refused.map(({ row, column }: { row: number; column: string }) => [row, column]),
    [
      [1, 'birthday'],
      [2, 'email'],
      [3, null],
      [4, 'tags'],
    ],
  );
  const again = await send();
  assert.deepEqual([again.body.added, again.body.changed, again.body.unchanged], [0, 0, 2]);
  const events = await service.sql(
    `select details from audit_events where organization_id = $1 and environment = 'live' and action = 'contacts.imported'`,
    [organization.organizationUuid],
  );
  assert.deepEqual(events, [{ details: { added: 2, changed: 0 } }]);
});

test('an export has the columns of an import, and is in the audit log', async () => {
  const contact = {
    delivery: email('export'),
    name: '=Formula',
    tags: ['x', 'y'],
    external_id: 'E-9',
    birthday: '1985-12-10',
  };
  await admin.call('POST', at('', 'sandbox'), contact);
  const { status, body } = await admin.call('GET', at('.csv?query=E-9', 'sandbox'));
  assert.equal(status, 200);
  assert.deepEqual(String(body).replace('\ufeff', '').trim().split('\r\n'), [
    'Email,Phone,Name,Language,Tags,External id,Birthday,Work anniversary',
    "export@example.com,,'=Formula,,x; y,E-9,1985-12-10,",
  ]);
  const events = await service.sql(`select 1 from audit_events where action = 'contacts.exported'`);
  assert.equal(events.length, 1);
});

test('members see contacts if they may ask for gifts, and change none', async () => {
  assert.ok(added.member);
  const member = await createPortalClient(service, 'member@example.com');
  assert.equal((await member.call('GET', at())).body.error.code, 'admin_required');
  await allowRequests(admin, organization);
  assert.equal((await member.call('GET', at())).status, 200);
  const refused = await member.call('POST', at(), { delivery: email('mine') });
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'admin_required']);
  assert.equal((await member.call('GET', at('.csv'))).status, 403);
});

test('a check says what an import would do to each row, and saves nothing', async () => {
  const held = await admin.call('POST', at(), { delivery: email('held'), name: 'Held', external_id: 'H-1' });
  const same = { delivery: email('held'), name: 'Held' };
  const rows = [
    { delivery: email('checked') },
    same,
    { delivery: email('moved'), external_id: 'H-1' },
    { delivery: email('checked-day'), birthday: '02-30' },
    { delivery: email('checked-year'), birthday: '2090-01-01' },
    { delivery: { method: 'email', email: 'wrong' } },
  ];
  const { contact_id } = held.body;
  const { status, body } = await admin.call('POST', at('/check'), { rows: rows.filter((_, row) => row !== 1) });
  assert.equal(status, 200);
  const refused = (column: string, message: string) => ({
    outcome: 'refused',
    contact_id: null,
    column,
    message,
    changes: [],
  });
  const none = { column: null, message: null, changes: [] };
  assert.deepEqual(body.data, [
    { outcome: 'added', contact_id: null, ...none },
    { outcome: 'changed', contact_id, ...none, changes: ['address'] },
    refused('birthday', 'birthday is a day that no calendar has.'),
    refused('birthday', 'birthday must not be in the future.'),
    { ...body.data[4], outcome: 'refused', contact_id: null, column: 'email' },
  ]);
  const [unchanged] = (await admin.call('POST', at('/check'), { rows: [same] })).body.data;
  assert.deepEqual(unchanged, { outcome: 'unchanged', contact_id, ...none });
  const listed = (await admin.call('GET', at('?query=checked'))).body.data;
  assert.deepEqual(listed, []);
  assert.equal((await admin.call('GET', at('?query=moved'))).body.data.length, 0);
});

test('contacts that a file does not have are found among all or those of a tag', async () => {
  const add = async (name: string, tags: string[]) =>
    (await admin.call('POST', at('', 'sandbox'), { delivery: email(name), tags })).body;
  const [kept, other, third] = [await add('m1', ['list']), await add('m2', ['list']), await add('m3', [])];
  const search = async (body: object) => (await admin.call('POST', at('/missing', 'sandbox'), body)).body;
  const idsOf = ({ data, count }: { data: { contact_id: string }[]; count: number }) => [
    data.map(({ contact_id }) => contact_id),
    count,
  ];
  const inFile = { in_file: [kept.contact_id], left: [] };
  assert.deepEqual(idsOf(await search({ ...inFile, among: 'all', tag: 'list' })), [[other.contact_id], 1]);
  assert.deepEqual(idsOf(await search({ ...inFile, among: 'none' })), [[], 0]);
  const all = await search({ ...inFile, among: 'all' });
  assert.ok(all.data.some(({ contact_id }: { contact_id: string }) => contact_id === third.contact_id));
  assert.ok(!all.data.some(({ contact_id }: { contact_id: string }) => contact_id === kept.contact_id));
  assert.deepEqual(idsOf(await search({ in_file: [], left: [third.contact_id], among: 'none' })), [
    [third.contact_id],
    1,
  ]);
  const left_out = { addresses: ['M2@example.com'], external_ids: [] };
  assert.deepEqual(idsOf(await search({ ...inFile, left_out, among: 'all', tag: 'list' })), [[], 0]);
});

test('only the contacts that are named are deleted, and one that was saved since stays', async () => {
  const add = async (name: string, tags: string[] = []) =>
    (await admin.call('POST', at('', 'sandbox'), { delivery: email(name), tags })).body;
  const [gone, saved, unnamed] = [await add('gone'), await add('saved'), await add('unnamed')];
  await service.clock.jump(1_000);
  await admin.call('PUT', at(`/${saved.contact_id}`, 'sandbox'), { delivery: email('saved'), name: 'Saved since' });
  const settle = (body: object) => admin.call('POST', at('/missing/settle', 'sandbox'), body);
  const named = [gone, saved].map(({ contact_id, changed_at }) => ({ contact_id, changed_at }));
  const { status, body } = await settle({ act: 'delete', contacts: named });
  assert.deepEqual([status, body], [200, { done: 1, stayed: [saved.contact_id], unsent: NOTHING }]);
  assert.deepEqual((await settle({ act: 'delete', contacts: named.slice(0, 1) })).body, {
    done: 0,
    stayed: [],
    unsent: NOTHING,
  });
  const found = async (name: string) => (await admin.call('GET', at(`?query=${name}%40`, 'sandbox'))).body.data.length;
  assert.deepEqual([await found('gone'), await found('saved'), await found('unnamed')], [0, 1, 1]);
  assert.ok(unnamed.contact_id);
});

test('a tag is taken from the contacts that are named, and their other tags stay', async () => {
  const add = (name: string, tags: string[]) => admin.call('POST', at('', 'sandbox'), { delivery: email(name), tags });
  const { contact_id, changed_at } = (await add('tagged', ['newsletter', 'berlin'])).body;
  const settle = (body: object) => admin.call('POST', at('/missing/settle', 'sandbox'), body);
  assert.equal((await settle({ act: 'remove_tag', contacts: [{ contact_id, changed_at }] })).status, 422);
  const { body } = await settle({ act: 'remove_tag', tag: 'newsletter', contacts: [{ contact_id, changed_at }] });
  assert.deepEqual(body, { done: 1, stayed: [], unsent: NOTHING });
  const [contact] = (await admin.call('GET', at('?query=tagged%40', 'sandbox'))).body.data;
  assert.deepEqual([contact.tags, contact.delivery], [['berlin'], email('tagged')]);
});
