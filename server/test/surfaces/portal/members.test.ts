import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient, type PortalClient } from '../../harness/portal-client.ts';
import { assertPages } from '../../harness/portal-reads.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** Members and the audit log, also with changes at the same moment. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const other = openForFile(() => service.second());
before(async () => {
  await (await service.organization()).addMembers();
});
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const second = openForFile(() => createPortalClient(service, 'second@example.com'));

interface Member {
  member_id: string;
  email: string;
  name: string | null;
  role: 'admin' | 'member';
  team_id: string | null;
  is_billing_contact: boolean;
  created_at: string;
  deactivated_at: string | null;
  invitation: 'pending' | 'ended' | null;
}

const pathOf = ({ organizationId }: TestOrganization, rest = '') => `/organizations/${organizationId}/members${rest}`;
const auditPathOf = ({ organizationId }: TestOrganization, environment = 'live') =>
  `/organizations/${organizationId}/${environment}/audit-events`;

async function membersOf(organization: TestOrganization, client = admin): Promise<Member[]> {
  const { status, body } = await client.call('GET', pathOf(organization));
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

/** An organization with the admins `admin` and `second`, and a member; by their first names. */
async function prepare(): Promise<[TestOrganization, Record<'admin' | 'second' | 'member', Member>]> {
  const organization = await service.organization();
  await organization.addMembers();
  const members = await membersOf(organization);
  return [organization, Object.fromEntries(members.map((one) => [one.email.replace(/@.*/, ''), one])) as never];
}

test('invite, promote, billing contact, deactivate and activate return the member', async () => {
  const [organization] = await prepare();
  const now = new Date(service.clock.now()).toISOString();
  const invited = await admin.call('POST', pathOf(organization), { email: 'Bob@example.com', role: 'member' });
  const bob: Member = {
    member_id: invited.body.member_id,
    email: 'Bob@example.com',
    name: null,
    role: 'member',
    team_id: null,
    is_billing_contact: false,
    created_at: now,
    deactivated_at: null,
    invitation: null,
  };
  assert.match(bob.member_id, /^mem_[0-9a-z]{26}$/);
  assert.deepEqual([invited.status, invited.body], [200, { ...bob, deactivated_at: now, invitation: 'pending' }]);
  const person = await createPortalClient(service, 'bob@example.com');
  assert.equal((await person.call('POST', `/invitations/${organization.organizationId}/accept`)).status, 204);
  const later = new Date(service.clock.now()).toISOString();
  const change = async (method: string, act: string, body?: object) => {
    const answer = await admin.call(method, pathOf(organization, `/${bob.member_id}${act}`), body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  assert.deepEqual(await change('PUT', '/role', { role: 'admin' }), { ...bob, role: 'admin' });
  assert.deepEqual(await change('POST', '/billing-contact'), { ...bob, role: 'admin', is_billing_contact: true });
  const gone = { ...bob, role: 'admin', is_billing_contact: true, deactivated_at: later };
  assert.deepEqual(await change('POST', '/deactivate'), gone);
  assert.deepEqual((await membersOf(organization)).at(-1), gone);
  assert.deepEqual(await change('POST', '/activate'), { ...gone, deactivated_at: null });

  const { body } = await admin.call('GET', `${auditPathOf(organization)}?actor=ADMIN@`);
  const actor = (await membersOf(organization)).find(({ email }) => email === 'admin@example.com');
  assert.deepEqual(
    body.data.map(({ event_id: _, ...event }: { event_id: string }) => event),
    [
      ['member.activated', 'Activated Bob@example.com again'],
      ['member.deactivated', 'Deactivated Bob@example.com'],
      ['billing_contact.set', 'Made Bob@example.com the billing contact'],
      ['member.role_changed', 'Made Bob@example.com an admin'],
      ['member.invited', 'Invited Bob@example.com as a member'],
    ].map(([action, sentence]) => ({
      environment: null,
      action,
      sentence,
      target: bob.member_id,
      actor: { kind: 'member', member_id: actor?.member_id, name: 'admin@example.com', address: '127.0.0.1' },
      created_at: action === 'member.invited' ? now : later,
    })),
  );
});

test('a name shows only while its person is an active member, and hides no signs in it', async () => {
  const [organization, { member }] = await prepare();
  const bob = await createPortalClient(service, 'member@example.com');
  const rename = async (name: string) => (await bob.call('PUT', '/me/name', { name })).status;
  const nameOf = async () => (await membersOf(organization)).find(({ email }) => email === 'member@example.com')?.name;
  assert.equal(await rename('  Bob  Builder '), 204);
  assert.deepEqual([await nameOf(), (await bob.call('GET', '/me')).body.name], ['Bob Builder', 'Bob Builder']);
  for (const wrong of ['a\nb', 'a\u202eb', 'a\u200bb', 'x'.repeat(81)]) assert.equal(await rename(wrong), 422, wrong);
  await admin.call('POST', pathOf(organization, `/${member.member_id}/deactivate`));
  assert.equal(await nameOf(), null);
  assert.equal(await rename(''), 204);
  await admin.call('POST', pathOf(organization, `/${member.member_id}/activate`));
  assert.equal(await nameOf(), null);
});

test('refusals are sentences that name people by address', async () => {
  const [organization, { admin: first, second: another, member }] = await prepare();
  const call = (method: string, path: string, body?: object) => admin.call(method, pathOf(organization, path), body);
  for (const { member_id } of [member, another])
    assert.equal((await call('POST', `/${member_id}/deactivate`)).status, 200);
  const lastAdmin = 'admin@example.com is the last active admin; make another member an admin first.';
  for (const [method, path, body, message] of [
    ['POST', '', { email: 'ADMIN@example.com', role: 'member' }, 'ADMIN@example.com is already a member.'],
    [
      'POST',
      '',
      { email: 'member@example.com', role: 'admin' },
      'member@example.com is already a member but deactivated; activate them instead.',
    ],
    [
      'POST',
      `/${member.member_id}/billing-contact`,
      {},
      'member@example.com is deactivated and cannot be the billing contact; activate them first.',
    ],
    ['POST', `/${first.member_id}/deactivate`, {}, lastAdmin],
    ['PUT', `/${first.member_id}/role`, { role: 'member' }, lastAdmin],
  ] as const) {
    const answer = await call(method, path, body);
    const error = { code: 'refused', message, request_id: answer.headers.get('request-id') };
    assert.deepEqual([answer.status, answer.body], [422, { error }]);
  }
  for (const [email, role, param] of [
    ['no address', 'member', 'email'],
    ['a@b', 'member', 'email'],
    ['bob@example.com', 'owner', 'role'],
  ]) {
    const answer = await call('POST', '', { email, role });
    assert.deepEqual([answer.status, answer.body.error.param], [422, param]);
  }
  assert.equal((await membersOf(organization)).length, 3);
});

test('a foreign member is answered like an unknown member and not changed', async () => {
  const [mine] = await prepare();
  const [foreign, { member }] = await prepare();
  const earlier = await membersOf(foreign);
  for (const id of [member.member_id, 'mem_01h455vb4pex5vsknk084sn02q', 'x'])
    for (const [method, act, body] of [
      ['PUT', '/role', { role: 'admin' }],
      ['POST', '/deactivate', {}],
      ['POST', '/activate', {}],
      ['POST', '/billing-contact', {}],
    ] as const) {
      const answer = await admin.call(method, pathOf(mine, `/${id}${act}`), body);
      assert.deepEqual([answer.status, answer.body.error.message], [404, 'Not found.'], `${act} ${id}`);
    }
  assert.deepEqual(await membersOf(foreign), earlier);
});

const leaving: Record<string, [method: string, path: string, body: object]> = {
  demote: ['PUT', '/role', { role: 'member' }],
  deactivate: ['POST', '/deactivate', {}],
};

for (const [one, two] of [
  ['demote', 'demote'],
  ['deactivate', 'deactivate'],
  ['demote', 'deactivate'],
] as const)
  test(`of two admins who ${one} and ${two} each other at once, one succeeds`, async () => {
    for (let round = 0; round < 4; round += 1) {
      const [organization, people] = await prepare();
      const call = (client: PortalClient, name: string, { member_id }: Member) => {
        const [method, path, body] = leaving[name] as [string, string, object];
        return client.call(method, pathOf(organization, `/${member_id}${path}`), body);
      };
      const answers = await Promise.all([
        call(admin, one, people.second),
        call(second.at(other.url), two, people.admin),
      ]);
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 1, JSON.stringify(statuses));
      const refused = answers.find(({ status }) => status !== 200)?.body.error;
      // The second caller is not an admin or a member any more, or would remove the last admin.
      assert.ok(
        ['admin_required', 'not_found'].includes(refused.code) ||
          (refused.code === 'refused' && /is the last active admin; make another/.test(refused.message)),
        JSON.stringify(refused),
      );
      const [left, ...rest] = await service.sql<{ email: string }>(
        `select email from members where organization_id = $1 and role = 'admin' and deactivated_at is null`,
        [organization.organizationUuid],
      );
      assert.equal(rest.length, 0);
      assert.equal(left?.email, statuses[0] === 200 ? 'admin@example.com' : 'second@example.com');
    }
  });

test('ten concurrent invitations of one address send one', async () => {
  const [organization] = await prepare();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      admin.call('POST', pathOf(organization), { email: 'bob@example.com', role: 'member' }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(422)]);
  const notices = await service.sql(
    `select from notices where kind = 'member_invited' and recipient = 'bob@example.com' and organization_id = $1`,
    [organization.organizationUuid],
  );
  assert.equal(notices.length, 1);
});

interface EventPage {
  data: { event_id: string; action: string; environment: string | null; sentence: string }[];
  older: string | null;
  newer: string | null;
  searched_to: null;
}

async function eventsOf(organization: TestOrganization, query: string, environment?: string): Promise<EventPage> {
  const { status, body } = await admin.call('GET', `${auditPathOf(organization, environment)}?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

test('the audit log pages in both directions without gaps or repeats', async () => {
  const [organization] = await prepare();
  const all = (await eventsOf(organization, 'limit=100')).data;
  assert.ok(all.length > 4, `${all.length}`);
  assert.ok(all.every(({ environment }) => environment !== 'sandbox'));
  await assertPages(
    async (request) => {
      const given = Object.entries(request).filter(([, value]) => value !== undefined);
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      const { data: rows, ...cursors } = await eventsOf(organization, `${query}`);
      return { rows, ...cursors };
    },
    all,
    'the audit log',
  );
});

test('the audit log filters by action, person, time and environment', async () => {
  const [organization, { member }] = await prepare();
  await service.clock.jump(60_000);
  const from = new Date(service.clock.now()).toISOString();
  await admin.call('POST', pathOf(organization, `/${member.member_id}/billing-contact`));
  await service.clock.jump(60_000);
  const to = new Date(service.clock.now()).toISOString();
  await admin.call('POST', `/organizations/${organization.organizationId}/sandbox/keys`, { name: 'Tests' });
  const sentences = async (query: string, environment?: string) =>
    (await eventsOf(organization, query, environment)).data.map(({ sentence }) => sentence);
  const named = 'Made member@example.com the billing contact';
  const created = 'Created the key “Tests”';
  assert.deepEqual(await sentences('action=billing_contact.set'), [named]);
  assert.deepEqual(await sentences('actor=admin%40'), [named]);
  assert.deepEqual(await sentences('actor=admin%40', 'sandbox'), [created, named]);
  assert.deepEqual(await sentences(`from=${from}&to=${to}`, 'sandbox'), [named]);
  assert.deepEqual(await sentences(`from=${to}`, 'sandbox'), [created]);
  assert.deepEqual(await sentences('actor=unknown'), []);
  for (const [query, param] of [
    ['action=key.stolen', 'action'],
    ['from=yesterday', 'from'],
    ['after=evt_x&before=evt_x', 'before'],
  ] as const) {
    const { status, body } = await admin.call('GET', `${auditPathOf(organization)}?${query}`);
    assert.deepEqual([status, body.error.code, body.error.param], [422, 'parameter_invalid', param]);
  }
  const [foreign] = await prepare();
  const id = (await eventsOf(foreign, 'limit=1')).data[0]?.event_id;
  for (const param of ['after', 'before']) {
    const { status, body } = await admin.call('GET', `${auditPathOf(organization)}?${param}=${id}`);
    assert.deepEqual([status, body.error.code, body.error.param], [422, 'cursor_invalid', param]);
  }
});

test('no route of the portal changes the log', () => {
  const ofLog = service.service.app.portalRoutes.filter(({ path }) => path.includes('audit'));
  assert.deepEqual(
    ofLog.map(({ method }) => method),
    ['GET'],
  );
});
