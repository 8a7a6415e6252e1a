import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeId } from '../../src/base/ids.ts';
import type { ErrorCode } from '../../src/errors.ts';
import { principalOf } from '../../src/http/request-context.ts';
import { hashKey } from '../../src/keys/key-format.ts';
import { revokeKey } from '../../src/keys/revoke-key.ts';
import { suspendOrganization } from '../../src/organizations/suspend-organization.ts';
import { deleteSandbox } from '../../src/sandbox/delete-sandbox.ts';
import { type Answer, type ApiClient, emailGift, linkGift } from '../harness/api-client.ts';
import { keyIdOf } from '../harness/key-id.ts';
import { verifyAll } from '../harness/ledger.ts';
import { workUntil } from '../harness/mail-server.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { OPERATOR } from '../harness/operator.ts';
import { assertRefused, requestsLeft } from '../harness/raw-http.ts';
import { startTestService, type TestOrganization } from '../harness/test-service.ts';

// Revocation is immediate. The statements that place orders and read gifts check the key themselves, so a process does not
// look up a remembered key first (authentication/identify.ts). The remembered key must never decide.

/** `service` remembers keys; `other` changes them. */
const service = openForFile(() =>
  startTestService({
    RATE_LIMIT_PER_SECOND: '1',
    RATE_LIMIT_BURST: '1000',
    ORDER_LOCK_WAIT_MS: '5000',
  }),
);
const other = openForFile(() => service.second());

/** Ways to end a key's use, by the error that follows. */
const ends = {
  api_key_revoked: async ({ organizationId, keys }: TestOrganization) =>
    revokeKey(other.service.deps, { organizationId, keyId: await keyIdOf(service, keys.sandbox), actor: OPERATOR }),
  organization_suspended: ({ organizationId }: TestOrganization) =>
    suspendOrganization(other.service.deps, { organizationId, actor: OPERATOR }),
  sandbox_missing: ({ organizationId }: TestOrganization) =>
    deleteSandbox(other.service.deps, { organizationId, actor: OPERATOR }),
} as const;

const large = 'x'.repeat(2 ** 20 + 1);
const post = (api: ApiClient, body: string, key = 'other') => api.post('/v1/orders', body, { 'Idempotency-Key': key });

/** Too little for ten gifts of the maximum amount. */
const BALANCE = { sandbox: 400_000 };

type Ask = (api: ApiClient, giftId: string) => Promise<Answer>;

/** Requests and their results with a valid key; one order was placed before. */
const requests: Record<string, [result: number | ErrorCode | 'no answer', ask: Ask]> = {
  'an order': [201, (api) => api.order([linkGift()], 'new')],
  'a retry of an order': [200, (api) => api.order([linkGift()], 'first')],
  'another body with its key': ['idempotency_key_reused', (api) => api.order([linkGift(3000)], 'first')],
  'an unknown category': ['parameter_invalid', (api) => api.order([{ ...linkGift(), category: 'unknown' }])],
  'more than there is': [
    'insufficient_balance',
    (api) => api.order(Array.from({ length: 10 }, () => linkGift(50_000))),
  ],
  'a steered failure': ['insufficient_balance', (api) => api.order([emailGift('insufficient-balance')])],
  'a steered limit': ['rate_limit_exceeded', (api) => api.order([emailGift('rate-limited')])],
  'a steered loss of the answer': ['no answer', (api) => api.order([emailGift('response-lost')])],
  'a wrong field': ['parameter_invalid', (api) => post(api, '{"gifts":[],"more":1}')],
  'no JSON': ['request_body_invalid', (api) => post(api, '{')],
  'no body': [
    'request_body_invalid',
    (api) => api.request('POST', '/v1/orders', { headers: { 'Idempotency-Key': 'other' } }),
  ],
  'no Idempotency-Key': ['parameter_invalid', (api) => api.post('/v1/orders', { gifts: [linkGift()] })],
  'a large body': ['request_body_too_large', (api) => post(api, large)],
  'a gift': [200, (api, giftId) => api.get(`/v1/gifts/${giftId}`)],
  'a gift that is not there': ['resource_missing', (api) => api.get(`/v1/gifts/${encodeId('gift', randomUUID())}`)],
  'a gift of no id': ['resource_missing', (api) => api.get('/v1/gifts/1')],
  'a page of gifts': [200, (api) => api.get('/v1/gifts')],
  'a page of gifts that is empty': [200, (api, giftId) => api.get(`/v1/gifts?ending_before=${giftId}`)],
  'a page behind no gift': ['cursor_invalid', (api) => api.get('/v1/gifts?starting_after=gift_1')],
  'a page of no gifts': ['parameter_invalid', (api) => api.get('/v1/gifts?limit=0')],
};

async function prepare() {
  const organization = await service.organization(BALANCE);
  const { status, body } = await organization.sandbox.order([linkGift()], 'first');
  assert.equal(status, 201);
  return { organization, giftId: body.gifts[0].gift_id as string };
}

test('each request below has its result with a valid key', async () => {
  for (const [name, [result, ask]] of Object.entries(requests)) {
    const { organization, giftId } = await prepare();
    const came = await ask(organization.sandbox, giftId).then(
      ({ status, body }) => body.error?.code ?? status,
      () => 'no answer',
    );
    assert.equal(came, result, name);
  }
});

for (const code of ['api_key_revoked', 'organization_suspended', 'sandbox_missing'] as const)
  for (const [name, [, ask]] of Object.entries(requests))
    test(`${name} with a key ended by another process is ${code}, without effects`, async () => {
      const { organization, giftId } = await prepare();
      const { sandbox, organizationUuid } = organization;
      await ends[code](organization);
      const tables = ['orders', 'gifts', 'balances', 'ledger_entries', 'steered_tries'];
      const selectRows = (table: string) =>
        service.sql(`select t::text from ${table} t where organization_id = $1 order by 1`, [organizationUuid]);
      const rows = () => Promise.all(tables.map(selectRows));
      const left = await rows();
      const answer = await ask(sandbox, giftId);
      assertRefused(answer, code);
      assert.match(answer.headers.get('ratelimit-policy') ?? '', code === 'api_key_revoked' ? /^"address"/ : /^"key"/);
      assert.deepEqual(await rows(), left);
    });

test('a remembered key costs one statement, and a lookup only after a refusal', async () => {
  const { organization, giftId } = await prepare();
  const { sandbox } = organization;
  const { read, placement } = service.service.deps.database;
  const asked: string[] = [];
  const query = read.query.bind(read);
  read.query = ((config) => {
    asked.push(config.name ?? '');
    return query(config);
  }) as typeof read.query;
  const heard = (client: { query: unknown }) => asked.push(`placement ${typeof client.query}`);
  placement.on('acquire', heard);
  try {
    assert.equal((await sandbox.order([linkGift()])).status, 201);
    assert.deepEqual(asked.splice(0), ['placement function']);
    // The key is checked before the refusal is sent.
    assert.equal((await sandbox.order([{ ...linkGift(), category: 'unknown' }])).status, 422);
    assert.deepEqual(asked.splice(0), ['placement function', 'keys.select_by_hash']);
    assert.equal((await sandbox.get(`/v1/gifts/${giftId}`)).status, 200);
    assert.deepEqual(asked.splice(0), ['gifts.select']);
    assert.equal((await sandbox.get('/v1/gifts')).status, 200);
    assert.deepEqual(asked.splice(0), ['gifts.list_descending']);
    assert.equal((await sandbox.get(`/v1/gifts/${encodeId('gift', randomUUID())}`)).status, 404);
    assert.deepEqual(asked.splice(0), ['gifts.select', 'keys.select_by_hash', 'gifts.select']);
    assert.equal((await sandbox.get('/v1/orders')).status, 200);
    assert.equal(asked[0], 'keys.select_by_hash');
  } finally {
    read.query = query;
    placement.off('acquire', heard);
  }
});

test('no order is placed after a revocation is acknowledged', async () => {
  for (let round = 0; round < 5; round += 1) {
    const organization = await service.organization();
    const { sandbox, organizationUuid } = organization;
    const hasStarted = Promise.withResolvers<void>();
    let isRevoked = false;
    let placed = 0;
    const late: number[] = [];
    const ordering = Array.from({ length: 8 }, async (_, worker) => {
      for (let n = 0; n < 100; n += 1) {
        const began = isRevoked;
        const { status, body } = await sandbox.order([linkGift(1000)], `${worker}-${n}`);
        if (began) late.push(status);
        if (status === 201) placed += 1;
        if (placed === 10) hasStarted.resolve();
        if (status === 401) assert.equal(body.error.code, 'api_key_revoked');
        if (status === 401 && began) return;
      }
    });
    await Promise.race([hasStarted.promise, Promise.all(ordering)]);
    await ends.api_key_revoked(organization);
    isRevoked = true;
    await Promise.all(ordering);
    assert.ok(late.length > 0);
    assert.ok(
      late.every((status) => status === 401),
      late.join(),
    );
    const [stored] = await service.sql(
      'select count(*)::integer as orders, sum(amount_cents)::integer as cents from orders where organization_id = $1',
      [organizationUuid],
    );
    assert.deepEqual(stored, { orders: placed, cents: 1000 * placed });
  }
  await verifyAll(service);
});

test('an order or a gift read counts once in its key’s rate limit', async () => {
  const { organization, giftId } = await prepare();
  const { sandbox } = organization;
  const first = requestsLeft(await sandbox.order([linkGift()]));
  const answers = [
    await sandbox.order([linkGift()]),
    await sandbox.order([{ ...linkGift(), category: 'unknown' }]),
    await post(sandbox, '{'),
    await sandbox.order([linkGift()]),
    await sandbox.get(`/v1/gifts/${giftId}`),
    await sandbox.get('/v1/gifts/gift_1'),
    await sandbox.get(`/v1/gifts?ending_before=${giftId}`),
  ];
  assert.deepEqual(
    answers.map(requestsLeft),
    answers.map((_, n) => first - n - 1),
  );
});

test('an order or a gift read by a remembered key is recorded as its use', async () => {
  const { organization, giftId } = await prepare();
  const { sandbox, keys } = organization;
  for (const [ask, status] of [
    [() => sandbox.order([linkGift()]), 201],
    [() => sandbox.get(`/v1/gifts/${giftId}`), 200],
  ] as const) {
    await service.clock.advance(5_000);
    await service.clock.jump(60_000 - (service.clock.now() % 60_000) + 1_000);
    const found = [hashKey(keys.sandbox), new Date(service.clock.now() - 1_000)];
    assert.equal((await ask()).status, status);
    const isRecorded = 'select from api_keys where hash = $1 and last_used_at = $2';
    await workUntil(service, async () => (await service.sql(isRecorded, found)).length === 1, 'recorded');
  }
});

test('a remembered key places nothing in a deleted sandbox that got funds', async () => {
  const organization = await service.organization();
  await organization.sandbox.order([linkGift()]);
  await ends.sandbox_missing(organization);
  await organization.fund('sandbox', 1_000_000);
  assertRefused(await organization.sandbox.order([linkGift()]), 'sandbox_missing');
});

test('one batch places only the orders of valid keys', async () => {
  const organizations: TestOrganization[] = [];
  for (let n = 0; n < 8; n += 1) organizations.push(await service.organization());
  await Promise.all(organizations.map(({ sandbox }) => sandbox.order([linkGift()], 'first')));
  await Promise.all(organizations.filter((_, n) => n % 2 === 0).map(ends.api_key_revoked));
  // Half of each kind are retries.
  const keys = ['first', 'first', 'second', 'second'];
  const answers = await Promise.all(organizations.map(({ sandbox }, n) => sandbox.order([linkGift()], keys[n % 4])));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 200, 401, 201, 401, 200, 401, 201],
  );
});

test('a key revoked while its order waits for the balance places nothing', async () => {
  const organization = await service.organization();
  const { sandbox, organizationUuid } = organization;
  await sandbox.order([linkGift()]);
  await service.sql('begin');
  await service.sql('select from balances where organization_id = $1 for update', [organizationUuid]);
  const ordered = sandbox.order([linkGift()]);
  await sleep(50);
  await ends.api_key_revoked(organization);
  await service.sql('rollback');
  assertRefused(await ordered, 'api_key_revoked');
});

test('a route that does not prove the key cannot use a remembered one', () => {
  const principal = { organizationId: '1', organizationName: 'Acme', environment: 'live', keyId: '2' } as const;
  assert.equal(principalOf({ principal, isKeyRecalled: false }), principal);
  assert.throws(() => principalOf({ principal, isKeyRecalled: true }), /not behind authentication/);
});
