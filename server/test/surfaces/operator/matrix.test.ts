import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { requestApproval } from '../../../src/core/balances/approvals.ts';
import { addMember } from '../../../src/core/organizations/add-member.ts';
import { emailGift } from '../../harness/api-client.ts';
import { enterMailedCode } from '../../harness/cookie-browser.ts';
import { type DescribedOperation, describedRoutes } from '../../harness/described-operations.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { callOperator, createOperatorClient, type OperatorClient } from '../../harness/operator-client.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

/** Every route of the operator's page, by a stranger, a member, an admin, and an operator with and without a fresh sign-in. */

const ADDRESS = 'ada@sandbox.gift.test';
const REASON = 'The customer asked for it.';
const NEW = { method: 'email', email: ADDRESS };

/** What each change sends besides its reason. */
const bodies: Record<string, object> = {
  search: { query: 'ada@sandbox.gift.test' },
  createOrganization: { name: 'New Customer', admin_email: 'first@new.example' },
  renameOrganization: { name: 'Renamed' },
  suspendOrganization: { holds_gifts: true },
  reinstateOrganization: { releases_gifts: false },
  setSpendingCaps: { key_id: null, hour: null, day: 500_000 },
  addMember: { email: 'added@example.com', role: 'member' },
  changeMemberRole: { role: 'admin' },
  changeBalance: { kind: 'funding', amount: 5_000, reference: 'wire 1' },
  addIssuer: { kind: 'codes', category: null, settings: { combine: 'yes' } },
  exportRecipient: { recipient: NEW, organization_id: null },
  eraseRecipient: { recipient: NEW, organization_id: null },
  addCategory: { category_id: 'tea', name: 'Tea', description: 'For people who take their time.', artwork: null },
  updateCategory: { name: 'Fine books' },
  enterBankBalance: { as_of: '2026-11-20', amount: 1_000_000 },
};

let service: TestService;
let organization: TestOrganization;
let operator: OperatorClient;
let routes: DescribedOperation[];
let stale: OperatorClient;
const people: Record<'stranger' | 'member' | 'admin', Map<string, string>> = {
  stranger: new Map(),
  member: new Map(),
  admin: new Map(),
};
let ids: Record<string, () => Promise<string> | string>;

before(async () => {
  service = await startTestService();
  organization = await service.organization();
  const { organizationId, organizationUuid } = organization;
  await organization.addMembers();
  const gift = async () => (await organization.sandbox.order([emailGift('ada')])).body.gifts[0].gift_id;
  const claimedGift = async () => {
    const id = await gift();
    const { status } = await organization.sandbox.post(`/v1/sandbox/gifts/${id}/claim`);
    assert.equal(status, 200);
    return id;
  };
  let members = 0;
  const member = async () => {
    members += 1;
    const input = {
      organizationId,
      email: `colleague-${members}@example.com`,
      role: 'member',
      actor: OPERATOR,
    } as const;
    return (await addMember(service.service.deps, input)).member_id;
  };
  let requests = 0;
  const approval = async () => {
    requests += 1;
    const input = { organizationId, environment: 'live', kind: 'funding', amountCents: 500, note: undefined } as const;
    const reference = `asked ${requests}`;
    return (await requestApproval(service.service.deps, { ...input, reference, actor: OPERATOR })).approval_id;
  };
  /** Without an issuer, so that one can be chosen. */
  const withoutIssuer = async () => {
    await service.sql('update issuers set removed_at = now() where organization_id = $1', [organizationUuid]);
    return organizationId;
  };
  const issuer = async () => {
    const path = `/organizations/${await withoutIssuer()}/issuers`;
    return (await operator.call('POST', path, { ...bodies['addIssuer'], reason: REASON })).body.issuer_id;
  };
  ids = {
    organization_id: () => organizationId,
    environment: () => 'live',
    member_id: member,
    gift_id: gift,
    reopenCard: claimedGift,
    addIssuer: withoutIssuer,
    approval_id: approval,
    issuer_id: issuer,
    category_id: () => 'books',
  };
  people.member = (await enterMailedCode(service, 'member@example.com')).browser.cookies;
  people.admin = (await enterMailedCode(service, 'admin@example.com')).browser.cookies;
  stale = await createOperatorClient(service, 'stale@gifts.example');
  await service.clock.jump(11 * 60_000);
  operator = await createOperatorClient(service);
  routes = describedRoutes(service.service.app.operatorRoutes, 'operator')
    .filter((route) => !route.path.endsWith('/session'))
    .map((route) => ({ ...route, path: route.path.replace('/operator/api', '') }));
});
after(() => service?.close());

/** Fills the path with what the operation can be done to. */
async function fill({ path, operationId }: DescribedOperation): Promise<string> {
  let filled = path;
  for (const [placeholder, name = ''] of path.matchAll(/\{(\w+)\}/g))
    filled = filled.replace(placeholder, (await (ids[operationId] ?? ids[name])?.()) ?? assert.fail(`No ${name}.`));
  return filled;
}

const changes = ({ method, operationId }: DescribedOperation) => method !== 'GET' && operationId !== 'search';
const bodyOf = (route: DescribedOperation) =>
  changes(route) ? { ...bodies[route.operationId], reason: REASON } : bodies[route.operationId];

test('the document says who may call each route', () => {
  const { operatorRoutes } = service.service.app;
  assert.equal(operatorRoutes.length, routes.length + 3);
  for (const { operationId, access } of operatorRoutes)
    assert.equal(access, /^(?:begin|end)OperatorSession$/.test(operationId) ? 'person' : 'operator', operationId);
});

test('strangers, members and admins reach no route', async () => {
  for (const route of routes) {
    const path = await fill(route);
    for (const [name, cookies] of Object.entries(people)) {
      const { status, body } = await callOperator(service.url, cookies, route.method, path, bodyOf(route));
      assert.deepEqual([status, body.error.code], [401, 'sign_in_required'], `${route.operationId} by ${name}`);
    }
  }
});

test('an operator without a fresh sign-in sees everything and changes nothing', async () => {
  for (const route of routes) {
    const { status, body } = await stale.call(route.method, await fill(route), bodyOf(route));
    if (!changes(route)) assert.equal(status, 200, `${route.operationId}: ${JSON.stringify(body)}`);
    else assert.deepEqual([status, body.error.code], [403, 'sign_in_again'], route.operationId);
  }
});

test('every change needs a reason', async () => {
  for (const route of routes.filter(changes)) {
    const { status, body } = await operator.call(route.method, await fill(route), bodies[route.operationId] ?? {});
    assert.deepEqual([status, body.error.param], [422, 'reason'], `${route.operationId}: ${JSON.stringify(body)}`);
  }
});

test('an operator with a fresh sign-in makes every change, and the log has it with its reason', async () => {
  for (const route of routes.filter(changes)) {
    await operator.signInAgain();
    const { status, body } = await operator.call(route.method, await fill(route), bodyOf(route));
    if (route.operationId === 'undoClaim')
      assert.equal(body.error.message, 'No claim of this gift waits for an issuer.');
    else if (route.operationId === 'takeBackGift')
      assert.equal(body.error.message, 'The gift has no card of an issuer.');
    else assert.ok(status === 200 || status === 204, `${route.operationId}: ${JSON.stringify(body)}`);
    const { data } = (await operator.call('GET', '/log')).body;
    const logged = data.find(({ action }: { action: string }) => action === route.operationId);
    assert.deepEqual([logged?.reason, logged?.operator], [REASON, 'olga@gifts.example'], route.operationId);
  }
});
