import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { rollKey } from '../../../src/core/keys/roll-key.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { createKey } from '../../../src/platform/authentication/key-format.ts';
import type { ErrorCode } from '../../../src/platform/base/errors.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { type Answer, type ApiClient, emailGift, linkGift } from '../../harness/api-client.ts';
import { cancelRequests } from '../../harness/cancel-requests.ts';
import { addAda, contactRequests } from '../../harness/contact-requests.ts';
import { describedOperations } from '../../harness/described-operations.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { ledgerRequests } from '../../harness/ledger-requests.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { scheduleRequests } from '../../harness/schedule-requests.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { webhookRequests } from '../../harness/webhook-requests.ts';

// Each operation's statement checks the key itself (authentication/caller.ts). An error about the key comes before all others.

const service = openForFile(() => startTestService());
const other = openForFile(() => service.second());

interface Prepared {
  organization: TestOrganization;
  orderId: string;
  /** A link gift, one whose delivery failed, and one that was claimed. */
  giftId: string;
  failedId: string;
  claimedId: string;
  entryId: string;
  endpointId: string;
  contactId: string;
}

/** Too little for ten gifts of the maximum amount. */
const BALANCE = { sandbox: 400_000 };

async function prepare(): Promise<Prepared> {
  const organization = await service.organization(BALANCE);
  const first = await organization.sandbox.order([linkGift()], 'first');
  assert.equal(first.status, 201);
  const { body } = await organization.sandbox.order([emailGift('bounced'), emailGift('claimed')]);
  return {
    organization,
    endpointId: (await organization.sandbox.post('/v1/webhook_endpoints', { url: 'https://localhost/' })).body
      .endpoint_id,
    contactId: await addAda(organization.sandbox),
    orderId: first.body.order_id,
    giftId: first.body.gifts[0].gift_id,
    failedId: body.gifts[0].gift_id,
    claimedId: body.gifts[1].gift_id,
    entryId: (await organization.sandbox.get('/v1/balance')).body.last_entry.entry_id,
  };
}

type Ask = (api: ApiClient, prepared: Prepared) => Promise<Answer>;
/** Requests by operation, with their results if the key is valid. */
type Requests = Record<string, [result: number | ErrorCode | 'no answer', ask: Ask]>;

const large = 'x'.repeat(2 ** 20 + 1);
const unknown = (prefix: 'gift' | 'ord') => encodeId(prefix, randomUUID());
const postOrder = (api: ApiClient, body: string, key = 'other') =>
  api.post('/v1/orders', body, { 'Idempotency-Key': key });
const redirect = (api: ApiClient, giftId: string, body: unknown) => api.put(`/v1/gifts/${giftId}/delivery`, body);
const elsewhere = { method: 'email', email: 'pat@example.com' };

const simulation = (act: string, gift: 'giftId' | 'failedId' | 'claimedId'): Requests => ({
  valid: [200, (api, prepared) => api.post(`/v1/sandbox/gifts/${prepared[gift]}/${act}`)],
  'unknown gift': ['resource_missing', (api) => api.post(`/v1/sandbox/gifts/${unknown('gift')}/${act}`)],
  'no id': ['resource_missing', (api) => api.post(`/v1/sandbox/gifts/1/${act}`)],
  'large body': [
    'request_body_too_large',
    (api, prepared) => api.post(`/v1/sandbox/gifts/${prepared[gift]}/${act}`, large),
  ],
});

const list = (path: string, cursor: (prepared: Prepared) => string): Requests => ({
  valid: [200, (api) => api.get(path)],
  'empty page': [200, (api, prepared) => api.get(`${path}?starting_after=${cursor(prepared)}`)],
  'cursor of nothing': ['cursor_invalid', (api) => api.get(`${path}?starting_after=gift_1`)],
  'limit of nothing': ['parameter_invalid', (api) => api.get(`${path}?limit=0`)],
});

const operations: Record<string, Requests> = {
  retrieveBalance: { valid: [200, (api) => api.get('/v1/balance')] },
  listBalanceEntries: {
    ...list('/v1/balance/entries', ({ entryId }) => entryId),
    'unknown kind': ['parameter_invalid', (api) => api.get('/v1/balance/entries?kind=gift')],
  },
  ...ledgerRequests,
  listCategories: { valid: [200, (api) => api.get('/v1/categories')] },
  createOrder: {
    valid: [201, (api) => api.order([linkGift()], 'new')],
    retry: [200, (api) => api.order([linkGift()], 'first')],
    'another body with its key': ['idempotency_key_reused', (api) => api.order([linkGift(3000)], 'first')],
    'unknown category': ['parameter_invalid', (api) => api.order([{ ...linkGift(), category: 'unknown' }])],
    'more than there is': [
      'insufficient_balance',
      (api) => api.order(Array.from({ length: 10 }, () => linkGift(50_000))),
    ],
    'steered failure': ['insufficient_balance', (api) => api.order([emailGift('insufficient-balance')])],
    'steered limit': ['rate_limit_exceeded', (api) => api.order([emailGift('rate-limited')])],
    'steered loss of the answer': ['no answer', (api) => api.order([emailGift('response-lost')])],
    'wrong field': ['parameter_invalid', (api) => postOrder(api, '{"gifts":[],"more":1}')],
    'no JSON': ['request_body_invalid', (api) => postOrder(api, '{')],
    'no body': [
      'request_body_invalid',
      (api) => api.request('POST', '/v1/orders', { headers: { 'Idempotency-Key': 'other' } }),
    ],
    'no Idempotency-Key': ['parameter_invalid', (api) => api.post('/v1/orders', { gifts: [linkGift()] })],
    'large body': ['request_body_too_large', (api) => postOrder(api, large)],
  },
  listOrders: list('/v1/orders', ({ orderId }) => orderId),
  retrieveOrder: {
    valid: [200, (api, { orderId }) => api.get(`/v1/orders/${orderId}`)],
    'unknown order': ['resource_missing', (api) => api.get(`/v1/orders/${unknown('ord')}`)],
    'no id': ['resource_missing', (api) => api.get('/v1/orders/1')],
  },
  listGifts: list('/v1/gifts', ({ giftId }) => giftId),
  retrieveGift: {
    valid: [200, (api, { giftId }) => api.get(`/v1/gifts/${giftId}`)],
    'unknown gift': ['resource_missing', (api) => api.get(`/v1/gifts/${unknown('gift')}`)],
    'no id': ['resource_missing', (api) => api.get('/v1/gifts/1')],
  },
  redirectGift: {
    valid: [200, (api, { failedId }) => redirect(api, failedId, elsewhere)],
    'gift that did not fail': ['gift_delivery_not_updatable', (api, { giftId }) => redirect(api, giftId, elsewhere)],
    'steered error': [
      'internal_error',
      (api, { failedId }) => redirect(api, failedId, { method: 'email', email: 'internal-error@sandbox.gift.test' }),
    ],
    'unknown gift': ['resource_missing', (api) => redirect(api, unknown('gift'), elsewhere)],
    'wrong field': ['parameter_invalid', (api, { failedId }) => redirect(api, failedId, { ...elsewhere, more: 1 })],
    'no JSON': ['request_body_invalid', (api, { failedId }) => redirect(api, failedId, '{')],
    'large body': ['request_body_too_large', (api, { failedId }) => redirect(api, failedId, large)],
  },
  replaceGiftLink: {
    valid: [200, (api, { giftId }) => api.post(`/v1/gifts/${giftId}/link`)],
    'claimed gift': ['gift_already_redeemed', (api, { claimedId }) => api.post(`/v1/gifts/${claimedId}/link`)],
    'unknown gift': ['resource_missing', (api) => api.post(`/v1/gifts/${unknown('gift')}/link`)],
    'large body': ['request_body_too_large', (api, { giftId }) => api.post(`/v1/gifts/${giftId}/link`, large)],
  },
  resendGift: {
    valid: [200, (api, { failedId }) => api.post(`/v1/gifts/${failedId}/resend`)],
    'link gift': ['gift_delivery_not_updatable', (api, { giftId }) => api.post(`/v1/gifts/${giftId}/resend`)],
    'unknown gift': ['resource_missing', (api) => api.post(`/v1/gifts/${unknown('gift')}/resend`)],
    'large body': ['request_body_too_large', (api, { failedId }) => api.post(`/v1/gifts/${failedId}/resend`, large)],
  },
  scheduleGift: scheduleRequests,
  ...webhookRequests,
  ...contactRequests,
  ...cancelRequests,
  listEvents: {
    valid: [200, (api) => api.get('/v1/events?types=order.created')],
    'unknown type': ['parameter_invalid', (api) => api.get('/v1/events?types=x')],
  },
  simulateDelivery: {
    ...simulation('deliver', 'failedId'),
    'link gift': [
      'gift_delivery_not_simulatable',
      (api, { giftId }) => api.post(`/v1/sandbox/gifts/${giftId}/deliver`),
    ],
    'wrong field': [
      'parameter_invalid',
      (api, { failedId }) => api.post(`/v1/sandbox/gifts/${failedId}/deliver`, { outcome: 'lost' }),
    ],
  },
  simulateOpen: simulation('open', 'giftId'),
  simulateClaim: simulation('claim', 'giftId'),
  simulateSpend: {
    ...simulation('spend', 'claimedId'),
    'unclaimed gift': ['gift_not_claimed', (api, { giftId }) => api.post(`/v1/sandbox/gifts/${giftId}/spend`)],
  },
  resetSandbox: {
    valid: [200, (api) => api.post('/v1/sandbox/reset')],
    'large body': ['request_body_too_large', (api) => api.post('/v1/sandbox/reset', large)],
  },
};

const requests = Object.entries(operations).flatMap(([operation, cases]) =>
  Object.entries(cases).map(([name, [result, ask]]) => ({ name: `${operation}: ${name}`, result, ask })),
);

test('this test calls every operation that needs a key', () => {
  const needsNoKey = ['getHealth', 'getOpenapi'];
  const described = describedOperations().map(({ operationId }) => operationId);
  assert.deepEqual([...Object.keys(operations), ...needsNoKey].sort(), described.sort());
});

test('each request has its own result with a valid key', async () => {
  for (const { name, result, ask } of requests) {
    const prepared = await prepare();
    const came = await ask(prepared.organization.sandbox, prepared).then(
      ({ status, body }) => body.error?.code ?? status,
      () => 'no answer',
    );
    assert.equal(came, result, name);
  }
});

interface BadKey {
  code: ErrorCode;
  /** Makes the organization's sandbox key bad. @returns the key to send, if another one */
  spoil(organization: TestOrganization): Promise<unknown>;
  /** The limit that the refusal counts for: a key that opens nothing counts for its address. */
  limit: 'address' | 'key';
}

/** Processes share no memory, so another one makes the change. */
const badKeys: Record<string, BadKey> = {
  'a revoked key': {
    code: 'api_key_revoked',
    limit: 'address',
    spoil: async ({ organizationId, keys }) =>
      revokeKey(other.service.deps, { organizationId, keyId: await keyIdOf(service, keys.sandbox), actor: OPERATOR }),
  },
  'an expired key': {
    code: 'api_key_revoked',
    limit: 'address',
    spoil: async ({ organizationId, keys }) => {
      const keyId = await keyIdOf(service, keys.sandbox);
      await rollKey(other.service.deps, { organizationId, keyId, overlapHours: 0, actor: OPERATOR });
    },
  },
  'a key outside its networks': {
    code: 'api_key_invalid',
    limit: 'address',
    spoil: ({ organizationUuid }) =>
      service.sql(`update api_keys set networks = '{192.0.2.0/24,2001:db8::/32}' where organization_id = $1`, [
        organizationUuid,
      ]),
  },
  'a key that was never issued': {
    code: 'api_key_invalid',
    limit: 'address',
    spoil: async ({ organizationUuid }) => createKey('sandbox', organizationUuid),
  },
  'a key of no organization': {
    code: 'api_key_invalid',
    limit: 'address',
    spoil: async () => createKey('sandbox', randomUUID()),
  },
  'a key of the other environment': {
    code: 'api_key_environment_mismatch',
    limit: 'address',
    spoil: ({ organizationUuid }) =>
      service.sql(`update api_keys set environment = 'live' where organization_id = $1`, [organizationUuid]),
  },
  'a key of a suspended organization': {
    code: 'organization_suspended',
    limit: 'key',
    spoil: ({ organizationId }) => suspendOrganization(other.service.deps, { organizationId, actor: OPERATOR }),
  },
  'a key of a sandbox that is missing, with funds left': {
    code: 'sandbox_missing',
    limit: 'key',
    spoil: ({ organizationUuid }) =>
      service.sql('delete from sandboxes where organization_id = $1', [organizationUuid]),
  },
};

const TABLES = ['orders', 'gifts', 'deliveries', 'balances', 'ledger_entries', 'card_purchases', 'steered_tries'];

async function rowsOf({ organizationUuid }: TestOrganization): Promise<unknown> {
  const select = (table: string) =>
    service.sql(`select t::text from ${table} t where organization_id = $1 order by 1`, [organizationUuid]);
  return await Promise.all(TABLES.map(select));
}

for (const [key, { code, spoil, limit }] of Object.entries(badKeys))
  test(`${key} is ${code} in every request, without effects`, async () => {
    const prepared = await prepare();
    const { organization } = prepared;
    const spoiled = await spoil(organization);
    const api = typeof spoiled === 'string' ? service.api(spoiled) : organization.sandbox;
    const left = await rowsOf(organization);
    for (const { name, ask } of requests) {
      const answer = await ask(api, prepared);
      assert.equal(answer.body.error?.code, code, name);
      assertRefused(answer, code);
      assert.match(answer.headers.get('ratelimit-policy') ?? '', new RegExp(`^"${limit}"`), name);
      assert.deepEqual(await rowsOf(organization), left, name);
    }
  });

test('a key’s organization cannot be replaced by another one', async () => {
  const [mine, yours] = [await service.organization(), await prepare()];
  const digits = createKey('sandbox', yours.organization.organizationUuid).slice(0, 'bestow-sandbox-'.length + 22);
  const forged = digits + mine.keys.sandbox.slice(digits.length);
  assertRefused(await service.api(forged).get(`/v1/gifts/${yours.giftId}`), 'api_key_invalid');
  assertRefused(await mine.sandbox.get(`/v1/gifts/${yours.giftId}`), 'resource_missing');
});
