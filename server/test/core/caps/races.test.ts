import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setCaps } from '../../../src/core/caps/set-caps.ts';
import { type Answer, type ApiClient, gift, linkGift } from '../../harness/api-client.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// No number of orders at once exceeds a cap by a cent: in one batch, one by one, and on two processes.

const VARIABLES = { VALUE_PER_RECIPIENT_PER_DAY: '10000', ORDER_LOCK_WAIT_MS: '10000' };
const service = openForFile(() => startTestService(VARIABLES));
const other = openForFile(() => service.second());
const oneByOne = openForFile(() => service.second({ ORDER_BATCH: '1' }));

const FUNDS = { live: 100_000_000, sandbox: 100_000_000 };

/** Sends the order until it is decided, as a client does. */
async function decided(client: ApiClient, gifts: object[]): Promise<Answer> {
  const key = randomUUID();
  for (;;) {
    const answer = await client.order(gifts, key);
    if (answer.status !== 409) return answer;
  }
}

/** Sends 200 orders over these clients at once; returns what was placed. */
async function race(
  clients: ApiClient[],
  giftsOf: (n: number) => object[],
): Promise<{ placed: number; refused: number }> {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => decided(clients[n % clients.length] as ApiClient, giftsOf(n))),
  );
  for (const { status, body } of answers)
    if (status !== 201)
      assert.deepEqual([status, body.error?.code], [402, 'insufficient_balance'], JSON.stringify(body));
  const placed = answers.filter(({ status }) => status === 201).length;
  return { placed, refused: answers.length - placed };
}

const spent = async (organization: TestOrganization, environment: 'live' | 'sandbox') =>
  FUNDS[environment] - (await balanceOf(service, organization, environment));

for (const [name, processes] of Object.entries({
  'in one process': () => [service],
  'over two processes': () => [service, other],
  'over two processes, one without batches': () => [service, oneByOne],
}))
  test(`200 orders at once use a cap up and never exceed it, ${name}`, async () => {
    const organization = await service.organization(FUNDS);
    const { organizationId, keys } = organization;
    const setting = { organizationId, environment: 'sandbox', actor: OPERATOR } as const;
    await setCaps(service.service.deps, { ...setting, amounts: { hour: 70_000, day: 50_000 } });
    const clients = processes().map((process) => process.api(keys.sandbox));
    const { placed, refused } = await race(clients, () => [linkGift(1_000)]);
    assert.deepEqual([placed, refused], [50, 150]);
    assert.equal(await spent(organization, 'sandbox'), 50_000);
  });

test('orders of many sizes at once use the cap up to the smallest order', async () => {
  const organization = await service.organization(FUNDS);
  const { organizationId, keys } = organization;
  const setting = { organizationId, environment: 'sandbox', actor: OPERATOR } as const;
  await setCaps(service.service.deps, { ...setting, amounts: { day: 333_333 } });
  const clients = [organization.sandbox, other.api(keys.sandbox)];
  await race(clients, (n) => [linkGift(1_000 + ((n * 7919) % 9_000))]);
  const total = await spent(organization, 'sandbox');
  assert.ok(total <= 333_333 && total > 333_333 - 1_000, `${total}`);
});

test('caps of a key and of the organization hold in one batch of two keys', async () => {
  const organization = await service.organization(FUNDS);
  const { organizationId, keys, newKey } = organization;
  const second = await newKey('sandbox');
  const setting = { organizationId, environment: 'sandbox', actor: OPERATOR } as const;
  const keyId = await keyIdOf(service, keys.sandbox);
  await setCaps(service.service.deps, { ...setting, keyId, amounts: { day: 20_000 } });
  await setCaps(service.service.deps, { ...setting, amounts: { day: 90_000 } });
  const { placed } = await race([service.api(keys.sandbox), service.api(second)], () => [linkGift(1_000)]);
  assert.equal(placed, 90);
  const rows = await service.sql<{ sum: string }>(
    `select sum(o.amount_cents)::text as sum from orders o join api_keys k using (organization_id, key_id)
     where o.organization_id = $1 group by k.key_id order by k.key_id`,
    [organization.organizationUuid],
  );
  const [first = 0, others = 0] = rows.map(({ sum }) => Number(sum));
  assert.equal(first + others, 90_000);
  assert.ok(first <= 20_000, `${first}`);
});

test('200 orders at once never bring a recipient more than the cap', async () => {
  const organization = await service.organization(FUNDS);
  const clients = [organization.live, other.api(organization.keys.live)];
  const email = (n: number) => ({ method: 'email', email: `${n % 4 < 2 ? 'ann' : 'Ann'}@example.com` });
  const { placed } = await race(clients, (n) => [
    gift({ amount: 1_000, delivery: email(n) }),
    gift({ amount: 1_000, delivery: email(n + 2) }),
  ]);
  assert.equal(placed, 5);
  assert.equal(await spent(organization, 'live'), 10_000);
});

test('orders and redirects at once never bring a recipient more than the cap', async () => {
  const organization = await service.organization(FUNDS);
  const clients = [organization.live, other.api(organization.keys.live)] as const;
  const to = (email: string) => gift({ amount: 1_000, delivery: { method: 'email', email } });
  const failed = await Promise.all(
    Array.from({ length: 20 }, (_, n) => decided(organization.live, [to(`bob${n}@example.com`)])),
  );
  const { organizationUuid } = organization;
  await service.sql(`update gifts set delivery_state = 'failed' where organization_id = $1`, [organizationUuid]);
  const orders = failed.map((_, n) => decided(clients[n % 2 === 0 ? 0 : 1], [to('ann@example.com')]));
  const redirects = failed.map(({ body }, n) =>
    (clients[n % 2] as ApiClient).put(`/v1/gifts/${body.gifts[0].gift_id}/delivery`, {
      method: 'email',
      email: 'Ann@example.com',
    }),
  );
  const statuses = (await Promise.all([...orders, ...redirects])).map(({ status }) => status);
  const text = `select sum(amount_cents) as cents from gifts where organization_id = $1 and lower(address) = 'ann@example.com'`;
  assert.equal(Number((await service.sql(text, [organizationUuid]))[0]?.['cents']), 10_000, String(statuses));
});

test('after a cap is set under load, the window’s orders never exceed it', async () => {
  const organization = await service.organization(FUNDS);
  const { organizationId, keys } = organization;
  const clients = [organization.sandbox, other.api(keys.sandbox)];
  let isSet = false;
  let placed = 0;
  let refused = 0;
  const working = Array.from({ length: 40 }, async (_, n) => {
    while (refused < 100) {
      const answer = await decided(clients[n % 2] as ApiClient, [linkGift(1_000)]);
      if (answer.status === 201) placed += 1;
      else {
        assert.ok(isSet || answer.status === 402);
        refused += 1;
      }
    }
  });
  while (placed < 40) await new Promise(setImmediate);
  const cents = (placed + 60) * 1_000;
  await setCaps(other.service.deps, {
    organizationId,
    environment: 'sandbox',
    amounts: { day: cents },
    actor: OPERATOR,
  });
  isSet = true;
  await Promise.all(working);
  const total = await spent(organization, 'sandbox');
  // More may have been placed before it was set.
  const [row] = await service.sql<{ spent_cents: string }>(
    `select spent_cents from spending where organization_id = $1`,
    [organization.organizationUuid],
  );
  assert.equal(Number(row?.spent_cents), total);
  assert.equal(placed * 1_000, total);
});

test('the ledger is right after the races', () => verifyAll(service));
