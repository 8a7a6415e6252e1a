import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { portalReader } from '../../harness/portal-reader.ts';
import { copyOrder } from '../../harness/portal-reads.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** The portal's overview: orders by day, deliveries, failures, and how long the balance lasts. */

const DAY_MS = 86_400_000;

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const portal = portalReader(service);
const overview = (organization: TestOrganization, environment?: string) =>
  portal.get(organization, '/overview', environment);

const pass = (ms: number) => service.clock.jump(ms);
const dayOf = (ms: number) => new Date(Math.floor(ms / DAY_MS) * DAY_MS).toISOString();

test('orders are summed by UTC day for thirty days and stay exact', async () => {
  const other = await service.organization({ sandbox: 10_000_000 });
  const days = async () => (await overview(other)).days;
  const today = () => dayOf(service.clock.now());
  const expected = new Map<string, { orders: number; amount: number }>();
  const assertDays = async () => {
    const summed = await days();
    const wanted = Array.from({ length: 30 }, (_, n) => {
      const day = dayOf(service.clock.now() - (29 - n) * DAY_MS);
      return { day, ...(expected.get(day) ?? { orders: 0, amount: 0 }) };
    });
    assert.deepEqual(summed, wanted);
  };
  await assertDays();
  for (const ms of [0, DAY_MS, 60_000, 3 * DAY_MS, 28 * DAY_MS, DAY_MS]) {
    await pass(ms);
    for (const amount of [1000, 2500]) {
      await other.sandbox.order([linkGift(amount), linkGift(amount)]);
      const sum = expected.get(today()) ?? { orders: 0, amount: 0 };
      expected.set(today(), { orders: sum.orders + 1, amount: sum.amount + 2 * amount });
    }
    await assertDays();
  }
  await other.sandbox.post('/v1/sandbox/reset');
  expected.clear();
  await assertDays();
  await other.fund('sandbox', 5_000);
  await other.sandbox.order([linkGift(1000)]);
  expected.set(today(), { orders: 1, amount: 1000 });
  await assertDays();
});

test('the outlook has daily spending and the days that the balance lasts', async () => {
  const other = await service.organization({ sandbox: 10_000 });
  const outlook = async (environment?: string) => (await overview(other, environment)).outlook;
  // Signed in, which takes two minutes.
  await outlook();
  await service.clock.setTime(Math.ceil(service.clock.now() / DAY_MS) * DAY_MS + DAY_MS / 2);
  const quiet = { spending_per_day: 0, days_left: null, lasts_less_than_a_week: false };
  assert.deepEqual(await outlook(), { balance: 10_000, ...quiet });
  await other.sandbox.order([linkGift(1300)]);
  // 13.00 over six days and a half.
  const first = { balance: 8700, spending_per_day: 200, days_left: 43, lasts_less_than_a_week: false };
  assert.deepEqual(await outlook(), first);
  await other.sandbox.order([linkGift(6500)]);
  const second = { balance: 2200, spending_per_day: 1200, days_left: 1, lasts_less_than_a_week: true };
  assert.deepEqual(await outlook(), second);
  await other.fund('sandbox', 8400 - 2200);
  assert.deepEqual(await outlook(), { ...second, balance: 8400, days_left: 7, lasts_less_than_a_week: false });
  await pass(7 * DAY_MS);
  assert.deepEqual(await outlook(), { balance: 8400, ...quiet });
  assert.deepEqual(await outlook('live'), { balance: 1_000_000, ...quiet });
});

test('deliveries of thirty days are counted by day of purchase and in total', async () => {
  const other = await service.organization({ sandbox: 10_000_000 });
  const summary = async (environment?: string) => (await overview(other, environment)).deliveries;
  const none = { scheduled: 0, pending: 0, delivered: 0, failed: 0, handed_out: 0, opened: 0, claimed: 0, canceled: 0 };
  await other.sandbox.order([gift()]);
  await pass(30 * DAY_MS);
  const first = Math.floor(service.clock.now() / DAY_MS) * DAY_MS;
  const steered = ['delivered', 'bounced', 'opened', 'claimed', 'spent'].map((to) => emailGift(to));
  await other.sandbox.order([gift(), linkGift(), linkGift(), ...steered]);
  await pass(DAY_MS);
  await other.sandbox.order([emailGift('bounced'), linkGift()]);
  const { body } = await other.sandbox.get('/v1/gifts?limit=1');
  await other.sandbox.post(`/v1/sandbox/gifts/${body.data[0].gift_id}/open`);
  const { days, total, counted_since } = await summary();
  assert.equal(days.length, 30);
  const [before, last] = [
    { scheduled: 0, pending: 1, delivered: 1, failed: 1, handed_out: 2, opened: 1, claimed: 2, canceled: 0 },
    { ...none, failed: 1, opened: 1 },
  ];
  assert.deepEqual(days.at(-2), { day: dayOf(first), ...before });
  assert.deepEqual(days.at(-1), { day: dayOf(first + DAY_MS), ...last });
  assert.deepEqual(days[0], { day: dayOf(first - 28 * DAY_MS), ...none });
  assert.deepEqual([total, counted_since], [{ ...before, failed: 2, opened: 2 }, null]);
  assert.deepEqual((await summary('live')).total, none);
});

test('with too many gifts the newest are counted, with the start time', async () => {
  const busy = await service.organization({ sandbox: 200_000_000 });
  await busy.sandbox.order([linkGift()]);
  await pass(DAY_MS);
  const since = new Date(service.clock.now()).toISOString();
  await busy.sandbox.order([linkGift()]);
  await copyOrder(service, busy, 20_000);
  const { days: sums, deliveries } = await overview(busy);
  const { days, total, counted_since } = deliveries;
  assert.equal(counted_since, since);
  assert.deepEqual(
    days.map(({ handed_out }: { handed_out: number }) => handed_out),
    [20_000],
  );
  assert.equal(total.handed_out, 20_000);
  assert.deepEqual(
    sums.slice(-2).map(({ orders }: { orders: number }) => orders),
    [1, 20_001],
  );
});

test('attention counts up to a hundred redirectable gifts and shows five', async () => {
  const other = await service.organization({ sandbox: 10_000_000 });
  const attention = async () => (await overview(other)).attention;
  const newest = async () => (await portal.get(other, '/gifts?status=failed&limit=5')).data;
  assert.deepEqual(await attention(), { count: 0, has_more: false, newest: [] });
  const failed = (await other.sandbox.order([emailGift('bounced'), emailGift('bounced'), emailGift('delivered')])).body
    .gifts as { gift_id: string }[];
  // Opened after all: it did arrive.
  await other.sandbox.post(`/v1/sandbox/gifts/${failed[0]?.gift_id}/open`);
  const one = await attention();
  assert.deepEqual([one.count, one.has_more], [1, false]);
  assert.deepEqual(one.newest, await newest());
  assert.equal(one.newest[0]?.gift_id, failed[1]?.gift_id);
  for (const name of ['delivery-failed', 'bounced', 'delivery-failed', 'bounced', 'delivery-failed'])
    await other.sandbox.put(`/v1/gifts/${failed[1]?.gift_id}/delivery`, {
      method: 'email',
      email: `${name}@sandbox.gift.test`,
    });
  assert.deepEqual(await attention(), { count: 0, has_more: false, newest: [] });
  const ten = Array.from({ length: 10 }, () => emailGift('bounced', 1000));
  for (const count of [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]) {
    await other.sandbox.order(ten);
    const now = await attention();
    assert.deepEqual([now.count, now.has_more, now.newest.length], [count, false, 5]);
  }
  await other.sandbox.order([emailGift('bounced')]);
  const more = await attention();
  assert.deepEqual([more.count, more.has_more], [100, true]);
  assert.deepEqual(more.newest, await newest());
});

test('a day’s sum reads one snapshot while funds are added', async () => {
  const busy = await service.organization({ sandbox: 0 });
  const { pool } = service.service.deps.database.laneOf(busy.organizationUuid);
  await overview(busy);
  const connect = pool.connect.bind(pool);
  // Between any two statements of the sum.
  let looks = 0;
  pool.connect = (async (...asked: []) => {
    // `pool.query` passes a callback.
    if (asked.length > 0) return connect(...asked);
    const client = await connect();
    const query = client.query.bind(client) as (...asked: unknown[]) => Promise<unknown>;
    client.query = (async (...asked: unknown[]) => {
      const answer = await query(...asked);
      if (JSON.stringify(asked[0]).includes('ledger_entries')) {
        looks += 1;
        pool.connect = connect;
        await busy.fund('sandbox', 100);
      }
      return answer;
    }) as typeof client.query;
    return client;
  }) as typeof pool.connect;
  try {
    const today = (await overview(busy)).days.at(-1);
    assert.deepEqual([today?.orders, today?.amount], [0, 0]);
    assert.ok(looks > 0);
  } finally {
    pool.connect = connect;
  }
});
