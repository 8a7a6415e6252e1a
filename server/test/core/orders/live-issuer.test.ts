import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { addIssuer } from '../../../src/capabilities/issuers/add-issuer.ts';
import { removeIssuer } from '../../../src/core/issuer/choose-issuer.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { everything, grantedAgent } from '../../harness/agent-grant.ts';
import { linkGift } from '../../harness/api-client.ts';
import { createSender, rowsTo } from '../../harness/batches.ts';
import { allowRequests, ask, giftTo } from '../../harness/gift-requests.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

/** In production a live order needs an issuer, because its gifts could not be claimed otherwise. */

const production = openForFile(() => startTestService({ NODE_ENV: 'production' }));
const elsewhere = openForFile(() => startTestService());

const addCodes = ({ service: { deps } }: TestService, { organizationUuid }: TestOrganization, categoryId?: string) =>
  addIssuer(deps, { organizationId: organizationUuid, categoryId, kind: 'codes', settings: {}, actor: OPERATOR });

const removeCodes = ({ issuer_id }: { issuer_id: string }) =>
  removeIssuer(production.service.deps, encodeId('iss', issuer_id), OPERATOR);

const of = (category: string) => ({ ...linkGift(), category });
const MESSAGE =
  'Live gifts of the category “coffee” cannot be ordered yet, because this organization has no card issuer for them. Ask the operator of this service to add one.';

const refusal = ({ status, body }: { status: number; body: { error?: { code?: string; message?: string } } }) => [
  status,
  body.error?.code,
  body.error?.message,
];
const REFUSED = [422, 'organization_not_configured', MESSAGE];

async function newOrganization(service: TestService): Promise<TestOrganization> {
  const organization = await service.organization();
  await organization.addMembers();
  return organization;
}

const ordersOf = async (service: TestService, { organizationUuid }: TestOrganization) =>
  (await service.sql('select from orders where organization_id = $1', [organizationUuid])).length;

test('without an issuer, production refuses a live order and charges nothing', async () => {
  const organization = await production.organization();
  const before = await balanceOf(production, organization, 'live');
  assert.deepEqual(refusal(await organization.live.order([linkGift()])), REFUSED);
  assert.equal(await balanceOf(production, organization, 'live'), before);
  assert.equal(await ordersOf(production, organization), 0);
  await verifyAll(production);
});

test('the refused order is placed with the same key once there is an issuer', async () => {
  const organization = await production.organization();
  const key = randomUUID();
  assert.deepEqual(refusal(await organization.live.order([linkGift()], key)), REFUSED);
  const issuer = await addCodes(production, organization);
  assert.equal((await organization.live.order([linkGift()], key)).status, 201);
  await removeCodes(issuer);
  assert.equal((await organization.live.order([linkGift()], key)).status, 200, 'a replay needs no issuer');
});

test('an issuer of one category admits only gifts of that category', async () => {
  const organization = await production.organization();
  await addCodes(production, organization, 'books');
  assert.equal((await organization.live.order([of('books')])).status, 201);
  assert.deepEqual(refusal(await organization.live.order([of('books'), of('coffee')])), REFUSED);
});

test('a gift of any category needs an issuer for each that its recipient can choose', async () => {
  const organization = await production.organization();
  await production.addCategory('any');
  await addCodes(production, organization, 'books');
  await addCodes(production, organization, 'travel');
  assert.deepEqual(refusal(await organization.live.order([of('any')])), REFUSED);
  await addCodes(production, organization, 'coffee');
  assert.equal((await organization.live.order([of('any')])).status, 201);
});

test('orders of one batch are refused or placed each for itself', async () => {
  const [without, has] = await Promise.all([production.organization(), production.organization()]);
  await addCodes(production, has);
  const answers = await Promise.all(
    [without, has, without, has].flatMap(({ live, sandbox }) => [
      live.order([linkGift()]),
      sandbox.order([linkGift()]),
    ]),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [422, 201, 201, 201, 422, 201, 201, 201],
  );
});

test('the portal, a file of gifts and an approval refuse it too', async () => {
  const organization = await newOrganization(production);
  const admin = await createPortalClient(production, 'admin@example.com');
  const path = `/organizations/${organization.organizationId}/live`;
  const sent = await admin.call('POST', `${path}/orders`, { form_id: randomUUID(), gifts: [linkGift()] });
  assert.deepEqual(refusal(sent), REFUSED);
  const sender = createSender(production, admin, organization, 'live');
  const batch = await sender.settle(await sender.send(rowsTo(2)));
  assert.deepEqual(
    [batch.state, batch.placed, batch.stop.code, batch.stop.message],
    ['stopped', 0, ...REFUSED.slice(1)],
  );
  const issuer = await addCodes(production, organization);
  const member = await createPortalClient(production, 'member@example.com');
  await allowRequests(admin, organization);
  const asked = await ask(member, `${path}/gift-requests`, giftTo('ada@example.com'));
  await removeCodes(issuer);
  const approved = await admin.call('POST', `${path}/gift-requests/${asked}/approve`);
  assert.deepEqual(refusal(approved), REFUSED);
  assert.equal(await ordersOf(production, organization), 0);
});

test('an agent is refused at the preview and at the order, and told whom to ask', async () => {
  const organization = await production.organization();
  const agent = await grantedAgent(production, organization, { ...everything, environment: 'live' });
  const previewed = await agent.call('preview_order', { gifts: [linkGift()] });
  assert.deepEqual([previewed.isError, previewed.body.error.code], [true, 'organization_not_configured']);
  assert.equal(previewed.body.error.message, MESSAGE);
  assert.match(previewed.body.error.next_step, /^Tell the person: .*the operator/);
  const issuer = await addCodes(production, organization);
  const given = await agent.preview({ gifts: [linkGift()] });
  await removeCodes(issuer);
  const placed = await agent.call('place_order', given);
  assert.deepEqual([placed.isError, placed.body.error.code], [true, 'organization_not_configured']);
});

test('outside production, and with ALLOW_SIMULATED_LIVE, live orders need no issuer', async () => {
  const allowed = await startTestService({ NODE_ENV: 'production', ALLOW_SIMULATED_LIVE: '1' });
  for (const service of [elsewhere, allowed])
    assert.equal((await (await service.organization()).live.order([linkGift()])).status, 201);
});
