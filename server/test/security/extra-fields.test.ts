import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { emailGift, gift } from '../harness/api-client.ts';
import { BRAND } from '../harness/audited-brand-acts.ts';
import { dumpDatabase } from '../harness/canaries.ts';
import { type DescribedOperation, describedOperations, describedRoutes } from '../harness/described-operations.ts';
import { everythingOf } from '../harness/everything-of.ts';
import { bodies as portalBodies } from '../harness/portal-bodies.ts';
import { codeOf, createPortalClient, type PortalClient } from '../harness/portal-client.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

/** Extra fields never reach storage, for any operation of both OpenAPI documents and at any depth of the body. */

/** Appears in no regular body, so a copy in the database came from an extra field. */
const MARK = 'extra-field-mark';
const UUID = '7f3c1c9e-8f1e-4a53-9a58-6d1d7f0f9f10';

/** Columns and answer fields that a careless insert would copy. */
const extras: Record<string, unknown> = {
  status: 'claimed',
  organization_id: UUID,
  gift_id: UUID,
  order_id: UUID,
  environment: 'live',
  amount_cents: 1,
  balance_cents: 1_000_000_000,
  created_at: '2020-01-01T00:00:00Z',
  key_id: UUID,
  is_admin: true,
  hash: MARK,
  id: MARK,
  name_: MARK,
  constructor: { name: MARK },
  ['__proto__']: { role: 'admin' },
};

const withBody = (operations: DescribedOperation[]) =>
  operations.filter(({ requestBody }) => requestBody !== undefined);

/** A valid body of each operation, with a field in each. */
const bodies: Record<string, object> = {
  ...portalBodies,
  createOrder: { gifts: [{ ...gift(), personalization: { recipient_name: 'Ada' } }] },
  simulateDelivery: { outcome: 'failed' },
  // Without a brace in a text.
  setBrand: { ...BRAND, subject: null },
  previewBrand: { ...BRAND, subject: null },
  saveContact: { delivery: { method: 'email', email: 'ada@example.com' }, name: 'Ada' },
  createWebhookEndpoint: { url: 'https://shop.example/' },
  updateWebhookEndpoint: { ordered: true },
  rotateWebhookSecret: { overlap_hours: 1 },
  enableWebhookEndpoint: { from_sequence: 1 },
};

/** Variants of the body with an extra field in each of its objects; `__proto__` is one of the fields. */
function* spoiled(body: unknown, name: string): Generator<string> {
  const extra = `${JSON.stringify(name)}:${JSON.stringify(extras[name])}`;
  const text = JSON.stringify(body);
  for (const { index } of text.matchAll(/\{/g)) yield `${text.slice(0, index + 1)}${extra},${text.slice(index + 1)}`;
}

let service: TestService;
let organization: TestOrganization;
let admin: PortalClient;
let client: Client;
before(async () => {
  service = await startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' });
  organization = await service.organization();
  await organization.addMembers();
  admin = await createPortalClient(service, 'admin@example.com');
  client = new Client(service.target);
  await client.connect();
});
after(async () => {
  await client?.end();
  await service?.close();
});

const operations = () => ({
  api: withBody(describedOperations()),
  portal: withBody(describedRoutes(service.service.app.portalRoutes, 'portal')),
});

test('this test has a body for every operation with a body', () => {
  const named = Object.values(operations())
    .flat()
    .map(({ operationId }) => operationId);
  assert.deepEqual([...new Set(named)].sort(), Object.keys(bodies).sort());
});

test('every operation refuses extra fields by name at every depth', async () => {
  const { body } = await organization.sandbox.order([emailGift('bounced'), emailGift('neutral')]);
  const batches = `/organizations/${organization.organizationId}/sandbox/batches`;
  const batch = await admin.call('POST', batches, { ...bodies['createBatch'], form_id: UUID });
  const requests = `/organizations/${organization.organizationId}/sandbox/gift-requests`;
  const asked = await admin.call('POST', requests, { ...bodies['requestGift'], form_id: UUID });
  const found: Record<string, string> = {
    organization_id: organization.organizationId,
    environment: 'sandbox',
    gift_id: body.gifts[0].gift_id,
    order_id: body.order_id,
    batch_id: batch.body.batch_id,
    gift_request_id: asked.body.gift_request_id,
    member_id: (await admin.call('GET', `/organizations/${organization.organizationId}/members`)).body.data[0]
      .member_id,
  };
  const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => found[name] ?? 'x');
  const before = await everythingOf(service, organization);
  let refused = 0;
  for (const [kind, list] of Object.entries(operations()))
    for (const { operationId, method, path } of list)
      for (const name of Object.keys(extras).filter((one) => !Object.hasOwn(bodies[operationId] ?? {}, one)))
        for (const text of spoiled(bodies[operationId], name)) {
          // The search of a view has a status of its own.
          if (operationId === 'saveGiftView' && name === 'status' && !text.startsWith('{"status"')) continue;
          const caller =
            kind === 'api' ? { authorization: `Bearer ${organization.keys.sandbox}` } : { cookie: admin.cookie() };
          const headers = {
            'Idempotency-Key': 'extra',
            'content-type': 'application/json',
            origin: service.url,
            ...caller,
          };
          const response = await fetch(service.url + fill(path), { method, headers, body: text });
          const { error } = (await response.json()) as { error?: { code: string; param: string } };
          assert.deepEqual([response.status, error?.code], [422, 'parameter_invalid'], `${operationId} ${text}`);
          assert.ok(error?.param.endsWith(name), `${operationId} ${text}: ${error?.param}`);
          refused += 1;
        }
  assert.ok(refused > 150, `${refused} bodies`);
  assert.deepEqual(await everythingOf(service, organization), before);
});

test('every body is accepted without the extra fields', async () => {
  const { body } = await organization.sandbox.order([emailGift('bounced'), emailGift('neutral')]);
  const [failed, pending] = body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
  const { sandbox: api } = organization;
  const portal = `/organizations/${organization.organizationId}`;
  const members = (await admin.call('GET', `${portal}/members`)).body.data as { email: string; member_id: string }[];
  const second = members.find(({ email }) => email === 'second@example.com')?.member_id;
  for (const [answer, name] of [
    [await api.post('/v1/orders', bodies['createOrder'], { 'Idempotency-Key': 'extra' }), 'createOrder'],
    [await api.post(`/v1/sandbox/gifts/${pending}/deliver`, bodies['simulateDelivery']), 'simulateDelivery'],
    [await api.put(`/v1/gifts/${failed}/delivery`, bodies['redirectGift']), 'redirectGift'],
    [await admin.call('PUT', `${portal}/sandbox/gifts/${pending}/delivery`, bodies['redirectGift']), 'redirectGift'],
    [await admin.call('PUT', `${portal}/sandbox/balance/alert`, bodies['setBalanceAlert']), 'setBalanceAlert'],
    [await admin.call('POST', `${portal}/sandbox/balance/test-funds`, bodies['addTestFunds']), 'addTestFunds'],
    [await admin.call('POST', `${portal}/sandbox/orders`, bodies['sendGifts']), 'sendGifts'],
    [await admin.call('POST', `${portal}/sandbox/orders/preview`, bodies['previewGift']), 'previewGift'],
    [await admin.call('POST', `${portal}/sandbox/batches/check`, bodies['checkRows']), 'checkRows'],
    [await admin.call('POST', `${portal}/sandbox/batches`, bodies['createBatch']), 'createBatch'],
    [await admin.call('POST', `${portal}/sandbox/gift-requests`, bodies['requestGift']), 'requestGift'],
    [await admin.call('POST', `${portal}/sandbox/keys`, bodies['createKey']), 'createKey'],
    [await admin.call('PUT', `${portal}/live/spending-caps`, bodies['setSpendingCaps']), 'setSpendingCaps'],
    [await admin.call('POST', `${portal}/sandbox/gifts/${pending}/simulate`, bodies['simulateGift']), 'simulateGift'],
    [await admin.call('POST', `${portal}/sandbox/gift-requests/orders`, bodies['requestOrder']), 'requestOrder'],
    [await admin.call('POST', `${portal}/roles`, bodies['createRole']), 'createRole'],
    [await admin.call('POST', `${portal}/teams`, bodies['createTeam']), 'createTeam'],
    [await admin.call('PUT', `${portal}/members/${second}/team`, bodies['setTeam']), 'setTeam'],
    [await admin.call('PUT', `${portal}/approval-rules`, bodies['setApprovalRule']), 'setApprovalRule'],
    [await admin.call('POST', `${portal}/members`, bodies['inviteMember']), 'inviteMember'],
    [await admin.call('PUT', `${portal}/members/${second}/role`, bodies['changeMemberRole']), 'changeMemberRole'],
  ] as const)
    assert.ok(answer.status === 200 || answer.status === 201, `${name}: ${JSON.stringify(answer.body)}`);
});

test('operations without a body ignore one', async () => {
  const { body } = await organization.sandbox.order([emailGift('neutral')]);
  const { gift_id } = body.gifts[0];
  for (const act of ['open', 'claim', 'spend']) {
    const { status, body: answered } = await organization.sandbox.post(`/v1/sandbox/gifts/${gift_id}/${act}`, extras);
    assert.equal(status, 200);
    assert.ok(!JSON.stringify(answered).includes(MARK));
  }
  assert.equal((await organization.sandbox.post('/v1/sandbox/reset', extras)).status, 200);
});

test('the sign-in stores no field that a client adds to its calls', async () => {
  await service.clock.jump(120_000);
  await service.sql('delete from portal.codes');
  const person = await createPortalClient(service, null);
  const email = 'member@example.com';
  const image = `https://${MARK}.example`;
  const more = { ...extras, name: MARK, image, role: MARK, userId: UUID, emailVerified: false, email };
  await person.call('POST', '/auth/email-otp/send-verification-otp', { ...more, type: 'sign-in' });
  const otp = await codeOf(service, email);
  const signIn = { ...more, twoFactorEnabled: true, otp };
  const { status, body } = await person.call('POST', '/auth/sign-in/email-otp', signIn);
  assert.equal(status, 200, JSON.stringify(body));
  const [user] = await service.sql<{ id: string; two_factor_enabled: boolean | null }>(
    'select id, two_factor_enabled from portal.users where email = $1',
    [email],
  );
  assert.notEqual(user?.id, UUID);
  assert.notEqual(user?.two_factor_enabled, true);
  assert.equal((await person.call('GET', `/organizations/${organization.organizationId}/members`)).status, 200);
});

// Runs last: it checks the data of all tests above.
test('no table holds the value of an extra field', async () => {
  // The request log keeps refused bodies, masked.
  for (const [table, text] of await dumpDatabase(client))
    if (table !== 'public.request_log') assert.ok(!text.includes(MARK), table);
});
