import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { changeOrRepeat } from '../../../src/core/balances/change-balance.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { portalBalance } from '../../harness/portal-balance.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';

/** The overview and the balance. */

const INSTRUCTIONS = 'Example Bank\nIBAN DE00 1234';
const DAY_MS = 86_400_000;

// Registered before the service, because hooks run in this order.
after(() => verifyAll(service));
const service = openForFile(() => startTestService({ FUNDING_INSTRUCTIONS: INSTRUCTIONS }));
const organization = openForFile(() => service.organization({ sandbox: 10_000, live: 500 }));
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
const portal = openForFile(async () => portalBalance(service, organization, admin));
/** Ids of the sandbox's orders, the first one first. */
const orders: string[] = [];
/** When they were placed. */
const times: Date[] = [];

before(async () => {
  for (const gifts of [[emailGift('delivered', 1000)], [emailGift('bounced', 1500), linkGift(1000)]]) {
    const { status, body } = await organization.sandbox.order(gifts);
    assert.equal(status, 201);
    orders.push(body.order_id);
    times.push(new Date(service.clock.now()));
    await service.clock.jump(DAY_MS);
  }
  await changeOrRepeat(service.service.deps, {
    kind: 'adjustment',
    organizationId: organization.organizationId,
    environment: 'sandbox',
    amountCents: -500,
    reference: '=1+1',
    note: 'Given "back", twice',
    actor: OPERATOR,
  });
});

test('the balance has its outlook and funding instructions', async () => {
  const elapsedDays = 6 + (service.clock.now() % DAY_MS) / DAY_MS;
  assert.deepEqual(await portal.get('/balance'), {
    outlook: {
      balance: 6000,
      spending_per_day: Math.round(3500 / elapsedDays),
      days_left: Math.floor(6000 / (3500 / elapsedDays)),
      lasts_less_than_a_week: false,
    },
    alert: null,
    most_test_funds: 100_000_000,
    owed: 0,
    can_top_up: false,
    funding_instructions: INSTRUCTIONS,
  });
  assert.deepEqual(await portal.get('/balance', 'live'), {
    outlook: { balance: 500, spending_per_day: 0, days_left: null, lasts_less_than_a_week: false },
    alert: null,
    most_test_funds: 100_000_000,
    owed: 0,
    can_top_up: false,
    funding_instructions: INSTRUCTIONS,
  });
});

test('entries are listed newest first, with balances, filters and pages', async () => {
  const { data, ...page } = await portal.get('/balance/entries');
  assert.deepEqual(page, { older: null, newer: null, searched_to: null });
  const [adjustment, second, first, funding] = data;
  const created_at = (n: number) => times[n]?.toISOString();
  const entry = ({ entry_id, created_at }: Record<string, string>, kind: string, amount: number, after: number) => {
    const none = { order_id: null, gift_id: null, reference: null, note: null };
    return { ...none, entry_id, kind, amount, balance_after: after, created_at };
  };
  assert.deepEqual(data, [
    { ...entry(adjustment, 'adjustment', -500, 6000), reference: '=1+1', note: 'Given "back", twice' },
    { ...entry(second, 'order', -2500, 6500), order_id: orders[1], created_at: created_at(1) },
    { ...entry(first, 'order', -1000, 9000), order_id: orders[0], created_at: created_at(0) },
    entry(funding, 'funding', 10_000, 10_000),
  ]);

  for (const [query, expected] of [
    ['kind=order', [second, first]],
    [`from=${created_at(1)}`, [adjustment, second]],
    [`to=${created_at(1)}&kind=order`, [first]],
    ['kind=&from=', data],
    [`limit=2&after=${second.entry_id}`, [first, funding]],
    [`limit=2&before=${first.entry_id}`, [adjustment, second]],
  ] as const)
    assert.deepEqual((await portal.get(`/balance/entries?${query}`)).data, expected, query);
});

test('an invalid parameter of the list or month of a statement is refused by name', async () => {
  for (const [path, param] of [
    ['entries?kind=gift', 'kind'],
    ['entries?from=yesterday', 'from'],
    ['entries?from=2026-13-41T00:00:00Z', 'from'],
    ['entries?to=2026-02-31T00:00:00Z', 'to'],
    ['entries?limit=101', 'limit'],
    ['entries?after=a&before=b', 'before'],
    ['entries?status=failed', 'status'],
    ...[
      '2026',
      '2026-00',
      '2026-13',
      '0000-01',
      '2026-1',
      'november',
      '2026-11-01',
      '2026-11%0A',
      '26-01',
      '%202026-11',
    ].map((month) => [`statements/${month}`, 'month'] as const),
  ] as const) {
    const expected = [422, 'parameter_invalid', param];
    assert.deepEqual(await portal.refusal('GET', portal.at(`/balance/${path}`)), expected, path);
  }
  const { body } = await admin.call('GET', portal.at('/balance/statements/2026'));
  assert.equal(body.error.message, 'month must be a month such as 2026-11.');
});

test('the export has every matching entry and no formula', async () => {
  const { data } = await portal.get('/balance/entries');
  const csv = async (query: string) => {
    const { status, body, headers } = await admin.call('GET', portal.at(`/balance/entries.csv?${query}`));
    assert.deepEqual(
      [status, headers.get('content-type'), headers.get('content-disposition')],
      [200, 'text/csv; charset=utf-8', 'attachment; filename="balance-sandbox.csv"'],
    );
    return body;
  };
  const head = 'Entry,Time (UTC),Kind,Amount (USD),Balance after (USD),Order,Reference,Note,Gift\r\n';
  const [adjustment, second, first, funding] = data;
  // The text decoder takes the mark of UTF-8 away.
  assert.equal(
    await csv(''),
    head +
      `${adjustment.entry_id},${adjustment.created_at},adjustment,-5.00,60.00,,'=1+1,"Given ""back"", twice",\r\n` +
      `${second.entry_id},${second.created_at},order,-25.00,65.00,${orders[1]},,,\r\n` +
      `${first.entry_id},${first.created_at},order,-10.00,90.00,${orders[0]},,,\r\n` +
      `${funding.entry_id},${funding.created_at},funding,100.00,100.00,,,,\r\n`,
  );
  assert.equal(
    await csv(`kind=order&to=${second.created_at}`),
    `${head}${first.entry_id},${first.created_at},order,-10.00,90.00,${orders[0]},,,\r\n`,
  );
});

test('a low-balance alert can be set, changed and turned off, with audit events', async () => {
  const set = async (threshold: unknown) => admin.call('PUT', portal.at('/balance/alert', 'live'), { threshold });
  for (const [threshold, alert] of [
    [400, { threshold: 400, warned_at: null }],
    [Number.MAX_SAFE_INTEGER, { threshold: Number.MAX_SAFE_INTEGER, warned_at: null }],
    [null, null],
  ] as const) {
    const { status, body } = await set(threshold);
    assert.deepEqual([status, body], [200, { alert }]);
    assert.deepEqual((await portal.get('/balance', 'live')).alert, alert);
  }
  assert.deepEqual((await portal.get('/balance')).alert, null, 'the sandbox has its own');
  assert.deepEqual(
    await portal.eventsOf('balance_alert.set'),
    [400, Number.MAX_SAFE_INTEGER, null].map((threshold_cents) => ({
      actor_kind: 'member',
      actor_name: 'admin@example.com',
      environment: 'live',
      details: { threshold_cents },
    })),
  );
  for (const threshold of [0, -1, 1.5, '400', Number.MAX_SAFE_INTEGER + 1, undefined])
    assert.deepEqual(await portal.refusal('PUT', portal.at('/balance/alert', 'live'), { threshold }), [
      422,
      'parameter_invalid',
      'threshold',
    ]);
});

test('a monthly statement adds up from opening to closing balance', async () => {
  assert.deepEqual(await portal.get('/balance/statements'), { data: ['2026-11'] });
  const { data } = await portal.get('/balance/entries');
  const sums = (funding: [number, number], adjustment: [number, number], order: [number, number]) => {
    const sum = ([entries, amount]: [number, number]) => ({ entries, amount });
    return { funding: sum(funding), adjustment: sum(adjustment), order: sum(order), refund: sum([0, 0]) };
  };
  assert.deepEqual(await portal.get('/balance/statements/2026-11'), {
    month: '2026-11',
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
    is_final: false,
    opening_balance: 0,
    totals: sums([1, 10_000], [1, -500], [2, -3500]),
    entry_count: 4,
    closing_balance: 6000,
    days: [
      { day: '2026-11-21T00:00:00.000Z', ...sums([1, 10_000], [0, 0], [1, -1000]) },
      { day: '2026-11-22T00:00:00.000Z', ...sums([0, 0], [0, 0], [1, -2500]) },
      { day: '2026-11-23T00:00:00.000Z', ...sums([0, 0], [1, -500], [0, 0]) },
    ],
    entries: data.toReversed(),
  });
});

test('the overview has the balance, thirty days of activity and failures', async () => {
  const overview = await portal.get('/overview');
  const { outlook, days, deliveries, attention, first_steps } = overview;
  assert.deepEqual(Object.keys(overview), [
    'outlook',
    'days',
    'before',
    'deliveries',
    'attention',
    'first_steps',
    'issuers',
  ]);
  assert.deepEqual(outlook, (await portal.get('/balance')).outlook);
  assert.deepEqual([days.length, deliveries.days.length], [30, 30]);
  const dayOf = (n: number) => `${times[n]?.toISOString().slice(0, 10)}T00:00:00.000Z`;
  assert.deepEqual(days.slice(27, 29), [
    { day: dayOf(0), orders: 1, amount: 1000 },
    { day: dayOf(1), orders: 1, amount: 2500 },
  ]);
  const none = { scheduled: 0, pending: 0, delivered: 0, failed: 0, handed_out: 0, opened: 0, claimed: 0, canceled: 0 };
  assert.deepEqual(deliveries.days[28], { day: dayOf(1), ...none, failed: 1, handed_out: 1 });
  assert.deepEqual(deliveries.total, { ...none, delivered: 1, failed: 1, handed_out: 1 });
  assert.equal(deliveries.counted_since, null);
  const newest = (await portal.get('/gifts?status=failed')).data;
  assert.deepEqual(attention, { count: 1, has_more: false, newest });
  assert.equal(newest[0].order_id, orders[1]);
  assert.deepEqual(first_steps, { has_key: true, has_order: true, example_category: 'coffee' });
  assert.deepEqual((await portal.get('/overview', 'live')).first_steps, {
    has_key: true,
    has_order: false,
    example_category: 'coffee',
  });
});
