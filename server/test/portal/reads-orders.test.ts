import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { findOrderEntry } from '../../src/balances/find-order-entry.ts';
import { showOutlook } from '../../src/balances/show-outlook.ts';
import { summarizeDays } from '../../src/balances/summarize-days.ts';
import { decodeId } from '../../src/base/ids.ts';
import { searchGifts } from '../../src/gifts/search-gifts.ts';
import { summarizeDeliveries } from '../../src/gifts/summarize-deliveries.ts';
import { exportOrders } from '../../src/orders/export-orders.ts';
import type { OrderSummary } from '../../src/orders/portal-schema.ts';
import { type OrderSearch, searchOrders } from '../../src/orders/search-orders.ts';
import { showOrder } from '../../src/orders/show-order.ts';
import type { PageRequest } from '../../src/paging/read-page.ts';
import { emailGift, gift, linkGift } from '../harness/api-client.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { assertCursorRefused, assertPages, copyOrder, impossibleCursors, scopeOf } from '../harness/portal-reads.ts';
import { until } from '../harness/server-process.ts';
import { startTestService } from '../harness/test-service.ts';

/** The portal's list of orders, an order's page, and the overview. */

const DAY_MS = 86_400_000;

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());
const scope = openForFile(async () => scopeOf(organization));
let all: OrderSummary[];
const times: Date[] = [];

before(async () => {
  for (const day of [0, 1, 2]) {
    times.push(new Date(service.clock.now()));
    for (const n of [1, 2, 3])
      await organization.sandbox.order(
        Array.from({ length: n }, () => linkGift(1000 * n)),
        `Key ${day}-${n}`,
      );
    await pass(DAY_MS);
  }
  const stranger = await service.organization();
  for (const client of [organization.live, stranger.sandbox]) await client.order([linkGift()], 'Key 0-1');
  all = (await search({ limit: 100 })).rows;
  assert.equal(all.length, 9);
});

const pass = (ms: number) => service.clock.setTime(service.clock.now() + ms);
const search = (request: OrderSearch & PageRequest, of = scope) => searchOrders(service.service.deps, of, request);
const uuid = (id: string) => decodeId('ord', id) ?? '';

test('every filter returns exactly its matches at any page size', async () => {
  const [first, second] = times as [Date, Date];
  const cases: [OrderSearch, (order: OrderSummary) => boolean][] = [
    [{}, () => true],
    [{ from: second }, (one) => one.created_at >= second],
    [{ to: second }, (one) => one.created_at < second],
    [{ from: first, to: second }, (one) => one.created_at < second],
    [{ from: second, to: first }, () => false],
    [{ query: 'Key 0-1' }, (one) => one.idempotency_key === 'Key 0-1'],
    [{ query: 'key 0-1' }, () => false],
    [{ query: 'Key 0' }, () => false],
    [{ query: 'Key 0-1', from: second }, () => false],
    [{ query: ` ${all[4]?.order_id.toUpperCase()} ` }, (one) => one === all[4]],
    [{ query: all[4]?.order_id, to: first }, () => false],
    [{ query: all[4]?.order_id, from: all[4]?.created_at }, (one) => one === all[4]],
    [{ query: all[4]?.order_id, to: all[4]?.created_at }, () => false],
    [{ query: ' ' }, () => true],
  ];
  for (const [filter, isFound] of cases) {
    const expected = all.filter(isFound);
    await assertPages((request) => search({ ...filter, ...request }), expected, JSON.stringify(filter));
    const exported = await Array.fromAsync(exportOrders(service.service.deps, scope, filter));
    assert.deepEqual(exported, expected, JSON.stringify(filter));
  }
});

test('an idempotency key is found even if it looks like an order id', async () => {
  const other = await service.organization();
  const first = (await other.sandbox.order([linkGift()])).body.order_id;
  const second = (await other.sandbox.order([linkGift()], first)).body.order_id;
  const { rows } = await search({ query: first, limit: 5 }, scopeOf(other));
  assert.deepEqual(rows.map(({ order_id }) => order_id).sort(), [first, second].sort());
});

test('foreign orders are not found by id, key or cursor', async () => {
  const stranger = await service.organization();
  const foreign = (await stranger.sandbox.order([linkGift()], 'foreign')).body.order_id;
  const live = (await organization.live.order([linkGift()], 'live')).body.order_id;
  for (const query of [foreign, live, 'foreign', 'live'])
    assert.deepEqual((await search({ query, limit: 5 })).rows, []);
  for (const id of [foreign, live]) {
    await assertCursorRefused(search, id);
    await assert.rejects(showOrder(service.service.deps, scope, uuid(id)), { code: 'resource_missing' });
    assert.equal(await findOrderEntry(service.service.deps, scope, uuid(id)), undefined);
  }
  for (const cursor of impossibleCursors('ord', uuid(all[0]?.order_id ?? '')))
    await assertCursorRefused(search, cursor);
});

test('an order shows its gifts, debit, key and member, also while processing', async () => {
  const other = await service.organization();
  const scopeOfOther = scopeOf(other);
  const gifts = [emailGift('bounced', 1000), linkGift(2000), emailGift('processing', 3000), gift({ amount: 4000 })];
  const { body } = await other.sandbox.order(gifts, 'a key');
  const show = () => showOrder(service.service.deps, scopeOfOther, uuid(body.order_id));
  const processing = await show();
  const [listed] = (await search({ limit: 1 }, scopeOfOther)).rows;
  const { completes_at, pending_gift_count, gifts: shown, entry, ...summary } = processing;
  assert.deepEqual(summary, listed);
  assert.deepEqual([summary.status, summary.amount, summary.gift_count], ['processing', 10_000, 4]);
  assert.deepEqual([completes_at, pending_gift_count], [new Date(service.clock.now() + 20_000), 2]);
  const listedGifts = async () =>
    (await searchGifts(service.service.deps, scopeOfOther, { limit: 10 })).rows.toReversed();
  assert.deepEqual(shown, await listedGifts());
  assert.equal(shown.length, 2);
  assert.deepEqual([entry.kind, entry.amount, entry.order_id], ['order', -10_000, body.order_id]);
  await service.clock.advance(22_000);
  await until(async () => (await show()).status === 'processed', 'the rest is made');
  const after = await show();
  assert.deepEqual(after, {
    ...processing,
    status: 'processed',
    completes_at: null,
    pending_gift_count: 0,
    gifts: await listedGifts(),
  });
  assert.deepEqual(
    after.gifts.map(({ amount }) => amount),
    [1000, 2000, 3000, 4000],
  );
});

test('orders are summed by UTC day for thirty days and stay exact', async () => {
  const other = await service.organization({ sandbox: 10_000_000 });
  const days = () => summarizeDays(service.service.deps, scopeOf(other));
  const today = () => new Date(Math.floor(service.clock.now() / DAY_MS) * DAY_MS);
  const expected = new Map<number, { orders: number; amount: number }>();
  const assertDays = async () => {
    const start = today().getTime() - 29 * DAY_MS;
    const wanted = Array.from({ length: 30 }, (_, n) => {
      const day = start + n * DAY_MS;
      return { day: new Date(day), ...(expected.get(day) ?? { orders: 0, amount: 0 }) };
    });
    assert.deepEqual(await days(), wanted);
  };
  await assertDays();
  for (const ms of [0, DAY_MS, 60_000, 3 * DAY_MS, 28 * DAY_MS, DAY_MS]) {
    await pass(ms);
    for (const amount of [1000, 2500]) {
      await other.sandbox.order([linkGift(amount), linkGift(amount)]);
      const sum = expected.get(today().getTime()) ?? { orders: 0, amount: 0 };
      expected.set(today().getTime(), { orders: sum.orders + 1, amount: sum.amount + 2 * amount });
    }
    await assertDays();
  }
  const second = await service.second();
  const summed = await summarizeDays(second.service.deps, scopeOf(other));
  assert.deepEqual(summed, await days(), 'a process that starts now');
  await second.close();
  // Many at once count each order once.
  await Promise.all(Array.from({ length: 5 }, days));
  await assertDays();
  await other.sandbox.post('/v1/sandbox/reset');
  expected.clear();
  await assertDays();
  await other.fund('sandbox', 5_000);
  await other.sandbox.order([linkGift(1000)]);
  expected.set(today().getTime(), { orders: 1, amount: 1000 });
  await assertDays();
});

test('the outlook has daily spending and the days that the balance lasts', async () => {
  const other = await service.organization({ sandbox: 10_000 });
  const outlook = (environment: 'live' | 'sandbox' = 'sandbox') =>
    showOutlook(service.service.deps, scopeOf(other, environment));
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
  const summary = (environment: 'live' | 'sandbox' = 'sandbox') =>
    summarizeDeliveries(service.service.deps, scopeOf(other, environment));
  const none = { scheduled: 0, pending: 0, delivered: 0, failed: 0, handed_out: 0, opened: 0, claimed: 0, canceled: 0 };
  await other.sandbox.order([gift()]);
  await pass(30 * DAY_MS);
  const first = new Date(Math.floor(service.clock.now() / DAY_MS) * DAY_MS);
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
  assert.deepEqual(days.at(-2), { day: first, ...before });
  assert.deepEqual(days.at(-1), { day: new Date(first.getTime() + DAY_MS), ...last });
  assert.deepEqual(days[0], { day: new Date(first.getTime() - 28 * DAY_MS), ...none });
  assert.deepEqual([total, counted_since], [{ ...before, failed: 2, opened: 2 }, null]);
  assert.deepEqual((await summary('live')).total, none);
});

test('with too many gifts the newest are counted, with the start time', async () => {
  const busy = await service.organization({ sandbox: 200_000_000 });
  await busy.sandbox.order([linkGift()]);
  await pass(DAY_MS);
  const since = new Date(service.clock.now());
  await busy.sandbox.order([linkGift()]);
  await copyOrder(service, busy, 20_000);
  const { days, total, counted_since } = await summarizeDeliveries(service.service.deps, scopeOf(busy));
  assert.deepEqual(counted_since, since);
  assert.deepEqual(
    days.map(({ handed_out }) => handed_out),
    [20_000],
  );
  assert.equal(total.handed_out, 20_000);
  const sums = await summarizeDays(service.service.deps, scopeOf(busy));
  assert.deepEqual(
    sums.slice(-2).map(({ orders }) => orders),
    [1, 20_001],
  );
});
