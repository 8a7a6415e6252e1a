import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Client } from 'pg';
import { describePlan, explainPlan, rowsRead } from '../../harness/explain-plan.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** Contacts that are suggested while a person types (docs/contacts.md#in-the-portal). */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const other = openForFile(() => service.organization());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));

const at = (rest = '') => `/organizations/${organization.organizationId}/sandbox/contacts${rest}`;
const email = (name: string) => ({ method: 'email', email: `${name}@example.com` });

before(async () => {
  await organization.addMembers();
  const rows = [
    { delivery: email('ada'), name: 'Ada Lovelace', language: 'de', external_id: 'E-1' },
    { delivery: { method: 'phone', phone: '+12025550142' }, name: 'Zoë' },
    { delivery: email('Alan'), name: 'Turing' },
    { delivery: email('nameless') },
    { delivery: email('m.cruz'), name: 'María José Cruz-Łuczak', external_id: 'REF-00042' },
    { delivery: email('u'), name: 'Ümit Ørsted' },
  ];
  assert.equal((await admin.call('POST', at('/import'), { rows })).body.added, 6);
  const own = { delivery: email('ada'), name: 'Ada of another' };
  assert.equal((await other.sandbox.put('/v1/contacts', own)).status, 201);
});

const namesOf = (contact: { name: string | null; delivery: { email?: string; phone?: string } }) => [
  contact.name,
  contact.delivery.email ?? contact.delivery.phone,
];

const suggested = async (text: string) => {
  const { status, body } = await admin.call('GET', at(`/suggestions?query=${encodeURIComponent(text)}`));
  assert.equal(status, 200, text);
  return body.data.map(namesOf);
};

/** What the page “Contacts” finds, in the order of suggestions. */
const listed = async (text: string) => {
  const { status, body } = await admin.call('GET', at(`?query=${encodeURIComponent(text)}`));
  assert.equal(status, 200, text);
  return body.data.map(namesOf).sort();
};

test('the beginning of a word of a name, an address or a reference finds a contact, on the page, too', async () => {
  const ada = ['Ada Lovelace', 'ada@example.com'];
  const zoe = ['Zoë', '+12025550142'];
  const maria = ['María José Cruz-Łuczak', 'm.cruz@example.com'];
  const finds: Record<string, string[][]> = {
    ada: [ada],
    ' ADA L': [ada],
    'ada@ex': [ada],
    'E-1': [ada],
    'e-': [ada],
    lovelace: [ada],
    'Lovelace, A': [ada],
    'zoe\u0308': [zoe],
    zoe: [zoe],
    '+1 (202) 555': [zoe],
    '0012025550142': [zoe],
    '202 555-0142': [zoe],
    a: [ada, ['Turing', 'Alan@example.com']],
    nameless: [[null as unknown as string, 'nameless@example.com']],
    cruz: [maria],
    MARIA: [maria],
    'maria jose': [maria],
    luczak: [maria],
    'cruz@': [maria],
    'ref-00042': [maria],
    '00042': [maria],
    umit: [['Ümit Ørsted', 'u@example.com']],
    orsted: [['Ümit Ørsted', 'u@example.com']],
  };
  for (const [text, contacts] of Object.entries(finds)) {
    assert.deepEqual(await suggested(text), contacts, text);
    assert.deepEqual(await listed(text), [...contacts].sort(), text);
  }
  for (const text of ['@example.com', 'example.com']) assert.equal((await suggested(text)).length, 5, text);
  for (const text of ['velace', '%', '_', '\\', 'xyz', '-'])
    assert.deepEqual([...(await suggested(text)), ...(await listed(text))], [], text);
  assert.deepEqual(await suggested(''), []);
});

test('a contact that is changed is found by what it has now', async () => {
  const added = { delivery: email('before'), name: 'Beforehand', external_id: 'X-9' };
  const { contact_id } = (await admin.call('POST', at(), added)).body;
  await admin.call('PUT', at(`/${contact_id}`), { delivery: email('later'), name: 'Thereafter' });
  assert.deepEqual(await suggested('before'), []);
  assert.deepEqual(await suggested('thereaf'), [['Thereafter', 'later@example.com']]);
});

test('one contact is read by its id, and none of another organization', async () => {
  const { body } = await admin.call('GET', at('/suggestions?query=ada'));
  const [{ contact_id }] = body.data;
  const found = await admin.call('GET', at(`/${contact_id}`));
  assert.deepEqual([found.status, found.body], [200, body.data[0]]);
  const foreign = (await other.sandbox.get('/v1/contacts')).body.data[0].contact_id;
  for (const id of [foreign, 'con_01k0fxw4mze6hv3tqx4d5s8r2n', 'nothing'])
    assert.equal((await admin.call('GET', at(`/${id}`))).status, 404, id);
});

async function ownRole(address: string, permissions: readonly string[]) {
  const { organizationId } = organization;
  const roles = `/organizations/${organizationId}/roles`;
  const { body } = await admin.call('POST', roles, { name: address, permissions });
  const invited = { email: address, role: body.role_id };
  assert.equal((await admin.call('POST', `/organizations/${organizationId}/members`, invited)).status, 200);
  const client = await createPortalClient(service, address);
  assert.equal((await client.call('POST', `/invitations/${organizationId}/accept`)).status, 204);
  return client;
}

test('a role that sees masked addresses reads them masked, and gets no suggestions', async () => {
  const masked = await ownRole('masked@example.com', ['gifts', 'order']);
  const [shown] = (await masked.call('GET', at('?limit=100'))).body.data.filter(
    ({ delivery }: { delivery: { email?: string } }) => delivery.email?.startsWith('a'),
  );
  assert.equal(shown.delivery.email, 'a•••@e•••.com');
  const one = await masked.call('GET', at(`/${shown.contact_id}`));
  assert.deepEqual([one.body.name, one.body.delivery], [null, shown.delivery]);
  const refused = await masked.call('GET', at('/suggestions?query=ada'));
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'admin_required']);
  const reader = await ownRole('reader@example.com', ['gifts', 'people']);
  for (const path of ['/suggestions?query=ada', `/${shown.contact_id}`])
    assert.equal((await reader.call('GET', at(path))).status, 403, path);
});

test('a search reads a bounded number of rows of 50,000 contacts', async () => {
  const { organizationUuid } = organization;
  await service.sql(
    `insert into contacts (organization_id, environment, contact_id, method, address, name, tags, created_at, changed_at)
     select $1, 'live', gen_random_uuid(), 'email', 'person' || n || '@example.com', 'Person ' || n, '{}', now(), now()
     from generate_series(1, 50000) n`,
    [organizationUuid],
  );
  await service.sql('analyze contacts, contact_words');
  const sql = new Client(service.target);
  await sql.connect();
  const owner = [organizationUuid, 'live'];
  const caller = '{"address": "192.0.2.1"}';
  const [lowest, highest] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
  const page = [lowest, highest, null, 26, null, null, null];
  const cases: [name: string, parameters: unknown[]][] = [
    ...['person', 'Person 4999', 'nothing', '+1 202'].map((text): [string, unknown[]] => [
      'contacts.suggest',
      [...owner, text, text.startsWith('+') ? '1202' : null, 8],
    ]),
    ['contacts.search_descending', [...owner, caller, ...page, 'Person 49999', null]],
    ['contacts.search_ascending', [...owner, caller, ...page, 'nothing', '0142']],
  ];
  try {
    for (const mode of ['force_custom_plan', 'force_generic_plan'])
      for (const [name, parameters] of cases) {
        const nodes = await explainPlan(sql, organizationUuid, { name, parameters, mode });
        assert.ok(rowsRead(nodes) <= 50, `${mode} ${name} ${parameters}: ${describePlan(nodes)}`);
        assert.ok(!nodes.some((node) => node['Node Type'] === 'Seq Scan'), describePlan(nodes));
      }
  } finally {
    await sql.end();
  }
});
