import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { balanceOf, verifyAll } from '../../server/test/harness/ledger.ts';
import { startTestService, type TestOrganization, type TestService } from '../../server/test/harness/test-service.ts';
import { startUnreliableProxy } from '../../server/test/harness/unreliable-proxy.ts';
import { Bestow, type OrderInput } from '../src/index.ts';

// The client cannot double-charge: through an unreliable proxy, each order is placed once.

const SEED = Number(process.env['SDK_PROOF_SEED'] ?? 20_261_121);
const ORGANIZATIONS = 100;
const ORDERS_EACH = 20;
const FUNDS = 10_000_000;

let service: TestService;
let proxy: Awaited<ReturnType<typeof startUnreliableProxy>>;
before(async () => {
  service = await startTestService();
  proxy = await startUnreliableProxy(service.url, SEED);
});
after(async () => {
  await proxy.close();
  await service.close();
});

/** Every order has another amount, so that each answer can be matched to its order. */
const orderOf = (number: number): OrderInput => ({
  gifts: [{ amount: 1000 + number, category: 'coffee', delivery: { method: 'link' } }],
});

const amountsIn = async ({ organizationUuid }: TestOrganization) => {
  const rows = await service.sql<{ amount_cents: number }>(
    'select amount_cents from orders where organization_id = $1 order by amount_cents',
    [organizationUuid],
  );
  return rows.map(({ amount_cents }) => amount_cents);
};

/** Pauses are 200 times shorter than normal. */
const pause = (ms: number) => sleep(ms / 200);

test(`2,000 orders make exactly 2,000 orders, each charged once (seed ${SEED})`, async () => {
  const expected = Array.from({ length: ORDERS_EACH }, (_, number) => 1000 + number);
  const ids = new Set<string>();
  const organizations: TestOrganization[] = [];
  // One client at a time: a busy machine could not open all connections in time.
  while (organizations.length < ORGANIZATIONS) organizations.push(await service.organization({ sandbox: FUNDS }));
  await Promise.all(
    organizations.map(async ({ keys }) => {
      const bestow = new Bestow(keys.sandbox, { baseUrl: proxy.baseUrl, pause, timeoutMs: 24_000_000 });
      for (let number = 0; number < ORDERS_EACH; number += 1) {
        const { order_id, gifts } = await bestow.orders.create(orderOf(number));
        assert.equal(gifts[0]?.amount, 1000 + number);
        ids.add(order_id);
      }
    }),
  );
  await proxy.settle();
  assert.equal(ids.size, ORGANIZATIONS * ORDERS_EACH);
  const spent = expected.reduce((sum, amount) => sum + amount, 0);
  for (const organization of organizations) {
    assert.deepEqual(await amountsIn(organization), expected);
    assert.equal(await balanceOf(service, organization, 'sandbox'), FUNDS - spent);
  }
  await verifyAll(service);
  for (const fate of proxy.fates) assert.ok((proxy.counts[fate] ?? 0) > 100, `${fate}: ${proxy.counts[fate]}`);
});

test('control: through the same proxy a client with new keys orders too much', async () => {
  const organization = await service.organization({ sandbox: FUNDS });
  const asked = 60;
  for (let number = 0; number < asked; number += 1) {
    // A new key for each attempt, like a client without idempotency.
    const place = () =>
      fetch(`${proxy.baseUrl}/v1/orders`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${organization.keys.sandbox}`, 'Idempotency-Key': randomUUID() },
        body: JSON.stringify(orderOf(number)),
      }).then(
        async (response) => response.status === 201 && (await response.json().catch(() => undefined)) !== undefined,
        () => false,
      );
    while (!(await place())) await sleep(1);
  }
  await proxy.settle();
  const made = (await amountsIn(organization)).length;
  assert.ok(made > asked, `${made} orders`);
  await verifyAll(service);
});
