import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { type Answer, type ApiClient, emailGift, linkGift } from '../../harness/api-client.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// A request that begins after a revocation was acknowledged by another process never succeeds.

const service = openForFile(() => startTestService({ ORDER_LOCK_WAIT_MS: '5000' }));
const other = openForFile(() => service.second());

const revoke = async ({ organizationId, keys }: TestOrganization) =>
  revokeKey(other.service.deps, { organizationId, keyId: await keyIdOf(service, keys.sandbox), actor: OPERATOR });

const WORKERS = 50;

interface Gifts {
  orderId: string;
  link: string;
  failed: string;
  claimed: string;
}

/** Each may be repeated. */
const races: Record<string, (api: ApiClient, gifts: Gifts) => Promise<Answer>> = {
  order: (api) => api.order([linkGift(1000)]),
  'read of an order': (api, { orderId }) => api.get(`/v1/orders/${orderId}`),
  'page of orders': (api) => api.get('/v1/orders'),
  'read of a gift': (api, { link }) => api.get(`/v1/gifts/${link}`),
  'page of gifts': (api) => api.get('/v1/gifts'),
  catalog: (api) => api.get('/v1/categories'),
  redirect: (api, { failed }) =>
    api.put(`/v1/gifts/${failed}/delivery`, { method: 'email', email: 'bounced@sandbox.gift.test' }),
  delivery: (api, { failed }) => api.post(`/v1/sandbox/gifts/${failed}/deliver`),
  opening: (api, { link }) => api.post(`/v1/sandbox/gifts/${link}/open`),
  claim: (api, { link }) => api.post(`/v1/sandbox/gifts/${link}/claim`),
  purchase: (api, { claimed }) => api.post(`/v1/sandbox/gifts/${claimed}/spend`),
};

for (const [name, ask] of Object.entries(races))
  test(`no ${name} succeeds after a revocation is acknowledged`, async () => {
    const organization = await service.organization({ sandbox: 10_000_000 });
    const { sandbox, organizationUuid } = organization;
    const { body } = await sandbox.order([linkGift(1000), emailGift('bounced', 1000), emailGift('claimed', 1000)]);
    const [link, failed, claimed] = body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
    const gifts = { orderId: body.order_id, link, failed, claimed };
    const hasStarted = Promise.withResolvers<void>();
    let answered = 0;
    let placed = 1;
    let isRevoked = false;
    const working = Array.from({ length: WORKERS }, async () => {
      for (;;) {
        const isLate = isRevoked;
        const answer = await ask(sandbox, gifts);
        if (isLate) return assertRefused(answer, 'api_key_revoked');
        if (answer.status === 201) placed += 1;
        if (answer.status !== 401) answered += 1;
        if (answered === WORKERS) hasStarted.resolve();
      }
    });
    await Promise.race([hasStarted.promise, Promise.all(working)]);
    await revoke(organization);
    isRevoked = true;
    await Promise.all(working);
    const stored = await service.sql('select from orders where organization_id = $1', [organizationUuid]);
    assert.equal(stored.length, placed);
  });

test('the ledger is right after the revocations', () => verifyAll(service));

test('a key revoked while its order waits for the balance places nothing', async () => {
  const organization = await service.organization();
  const { sandbox, organizationUuid } = organization;
  await sandbox.order([linkGift()]);
  await service.sql('begin');
  await service.sql('select from balances where organization_id = $1 for update', [organizationUuid]);
  const ordered = sandbox.order([linkGift()]);
  await sleep(50);
  await revoke(organization);
  const [revoked] = await service.sql<{ at: string }>('select clock_timestamp()::text as at');
  // Attempts that began before the revocation see the lock.
  const earlier = `select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query_start < $1`;
  await until(async () => {
    await service.sql('select pg_stat_clear_snapshot()');
    return (await service.sql(earlier, [revoked?.at])).length === 0;
  }, 'earlier attempts end');
  await service.sql('rollback');
  assertRefused(await ordered, 'api_key_revoked');
});

test('one batch places only the orders of valid keys', async () => {
  const organizations: TestOrganization[] = [];
  for (let n = 0; n < 8; n += 1) organizations.push(await service.organization());
  await Promise.all(organizations.map(({ sandbox }) => sandbox.order([linkGift()], 'first')));
  await Promise.all(organizations.filter((_, n) => n % 2 === 0).map(revoke));
  // Half of each kind are retries.
  const keys = ['first', 'first', 'second', 'second'];
  const answers = await Promise.all(organizations.map(({ sandbox }, n) => sandbox.order([linkGift()], keys[n % 4])));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 200, 401, 201, 401, 200, 401, 201],
  );
});

test('one batch shows each gift only to its organization’s valid key', async () => {
  const all = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const organization = await service.organization();
      const { body } = await organization.sandbox.order([linkGift()]);
      return { organization, giftId: body.gifts[0].gift_id as string };
    }),
  );
  await Promise.all(all.filter((_, n) => n % 2 === 0).map(({ organization }) => revoke(organization)));
  const answers = await Promise.all(
    all.map(({ organization }, n) => organization.sandbox.get(`/v1/gifts/${(n < 6 ? all[n] : all[1])?.giftId}`)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 200, 401, 200, 401, 200, 401, 404],
  );
  for (const n of [1, 3, 5]) assert.equal(answers[n]?.body.gift_id, all[n]?.giftId);
});
