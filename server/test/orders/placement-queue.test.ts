import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PoolClient } from 'pg';
import { silentMeter } from '../../src/base/meter.ts';
import type { OrderRecord } from '../../src/orders/order-record.ts';
import { createPlacementQueue } from '../../src/orders/placement-queue.ts';
import type { PlacementRow } from '../../src/orders/queries.ts';

const scope = { organizationId: '01a1fdfa-467b-7000-8000-000000000001', environment: 'sandbox' } as const;

const orderOf = (key: string, organizationId: string = scope.organizationId): OrderRecord => ({
  organization_id: organizationId,
  environment: scope.environment,
  key_lock: '1',
  idempotency_key: key,
  fingerprint: '\\x00',
  order_id: '01a1fdfa-467b-7000-8000-000000000002',
  last_gift_id: '01a1fdfa-467b-7000-8000-000000000003',
  entry_id: '01a1fdfa-467b-7000-8000-000000000004',
  key_id: '01a1fdfa-467b-7000-8000-000000000005',
  organization_name: 'Test Organization',
  amount_cents: 1000,
  categories: ['coffee'],
  may_be_placed: true,
  created_at: new Date('2026-11-21T12:00:00Z'),
  completes_at: null,
  pending_gifts: null,
  gifts: [],
  traceparent: undefined,
});

type Sent = OrderRecord & { n: number };
type Outcome = Partial<PlacementRow> & Pick<PlacementRow, 'outcome'>;

/** A queue before a PostgreSQL that decides of each order what the test says, and the batches that reached it. */
function queueBefore(decide: (order: Sent, batch: Sent[]) => Outcome, observers: object = {}) {
  const batches: string[][] = [];
  const faults: unknown[] = [];
  const client = {
    async query({ values }: { values?: string[] }) {
      // Whether its session goes on.
      if (values === undefined) return { rows: [] };
      const [text] = values;
      const orders = JSON.parse(text ?? '[]') as Sent[];
      batches.push(orders.map(({ idempotency_key }) => idempotency_key));
      const nothing = { earlier_order_id: null, unknown_category_position: null, last_id: null, is_configured: true };
      return { rows: orders.map((order) => ({ ...nothing, n: order.n, ...decide(order, orders) })) };
    },
    release: () => undefined,
  } as unknown as PoolClient;
  const deps = {
    placement: { connect: async () => client },
    log: { error: (...said: unknown[]) => faults.push(said) },
    meter: silentMeter,
    tracer: undefined,
    ...observers,
  };
  const queue = createPlacementQueue(deps as unknown as Parameters<typeof createPlacementQueue>[0], 64);
  return { queue, batches, faults };
}

/** What PostgreSQL answers to content that it cannot take. */
const refusal = Object.assign(new Error('a poisonous order'), { code: '22000' });

test('a key counts as placed once its order is placed or was before, in its organization and environment only', async () => {
  const outcomes: Record<string, PlacementRow['outcome']> = { a: 'placed', b: 'replayed', c: 'insufficient_balance' };
  const { queue } = queueBefore((order) => ({ outcome: outcomes[order.idempotency_key] ?? 'locked' }));
  for (const key of ['a', 'b', 'c']) await queue.submit(orderOf(key));
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => queue.hasPlaced(scope, key)),
    [true, true, false, false],
  );
  assert.equal(queue.hasPlaced({ ...scope, environment: 'live' }, 'a'), false);
});

test('the latest 10,000 keys are remembered, and never more than 20,000', async () => {
  const { queue } = queueBefore(() => ({ outcome: 'placed' }));
  const knows = (n: number) => queue.hasPlaced({ ...scope, organizationId: `organization ${n}` }, 'key');
  for (let from = 0; from < 20_000; from += 1_000)
    await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => queue.submit(orderOf('key', `organization ${from + n}`))),
    );
  assert.deepEqual([knows(0), knows(9_999), knows(10_000), knows(19_999)], [false, false, true, true]);
  await queue.submit(orderOf('key', 'organization 20000'));
  assert.deepEqual([knows(10_000), knows(20_000)], [true, true]);
});

test('a second order of the same key is told so; one of another key goes along without the balance', async () => {
  const { queue, batches } = queueBefore(({ may_be_placed }) => ({ outcome: may_be_placed ? 'placed' : 'refused' }));
  const [first, same, other] = await Promise.all([
    queue.submit(orderOf('a')),
    queue.submit(orderOf('a')),
    queue.submit(orderOf('b')),
  ]);
  assert.deepEqual([first?.outcome, same, other?.outcome], ['placed', { outcome: 'same_key_under_way' }, 'locked']);
  assert.deepEqual(batches, [['a', 'b']]);
  assert.equal((await queue.submit(orderOf('b'))).outcome, 'placed', 'then it is its turn');
});

test('beside another order only what would be refused anyway is refused; without a member it is not configured', async () => {
  const refused = queueBefore(({ may_be_placed }) => ({ outcome: may_be_placed ? 'placed' : 'refused' })).queue;
  const [, steered] = await Promise.all([
    refused.submit(orderOf('a')),
    refused.submit({ ...orderOf('b'), may_be_placed: false }),
  ]);
  assert.equal(steered.outcome, 'refused');
  const empty = queueBefore(() => ({ outcome: 'refused', is_configured: false })).queue;
  const [, other] = await Promise.all([empty.submit(orderOf('a')), empty.submit(orderOf('b'))]);
  assert.equal(other.outcome, 'not_configured');
  const replayed = queueBefore(() => ({ outcome: 'replayed' })).queue;
  const [, again] = await Promise.all([replayed.submit(orderOf('a')), replayed.submit(orderOf('b'))]);
  assert.equal(again.outcome, 'replayed');
});

test('an order that is not to be placed keeps nobody from the balance', async () => {
  const { queue, batches } = queueBefore(({ may_be_placed }) => ({ outcome: may_be_placed ? 'placed' : 'refused' }));
  const [steered, other] = await Promise.all([
    queue.submit({ ...orderOf('a'), may_be_placed: false }),
    queue.submit(orderOf('b')),
  ]);
  assert.deepEqual([steered.outcome, other.outcome], ['refused', 'placed']);
  assert.deepEqual(batches, [['a', 'b']]);
});

test('where one order of a batch is refused by PostgreSQL, each is tried alone and the others are placed', async () => {
  const { queue, batches, faults } = queueBefore((_, batch) => {
    if (batch.some(({ idempotency_key }) => idempotency_key === 'bad')) throw refusal;
    return { outcome: 'placed' };
  });
  const outcomes = await Promise.all([
    queue.submit(orderOf('good')),
    queue.submit(orderOf('bad', 'another')),
    queue.submit(orderOf('fine', 'a third')),
  ]);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['placed', 'failed', 'placed'],
  );
  assert.deepEqual(batches, [['good', 'bad', 'fine'], ['good'], ['bad'], ['fine']]);
  const told = 'A batch of orders failed and is placed one order at a time.';
  assert.deepEqual(faults, [[{ err: refusal, orders: 3 }, told]]);
  await assert.rejects(queue.submit(orderOf('bad')), /poisonous/);
  assert.equal(batches.length, 5, 'one alone is not tried again');
});

test('where the database itself is out of order, none of a batch is tried again', async () => {
  const { queue, batches, faults } = queueBefore(() => {
    throw Object.assign(new Error('no space left'), { code: '53100' });
  });
  const both = [queue.submit(orderOf('a')), queue.submit(orderOf('b', 'another'))];
  for (const order of both) await assert.rejects(order, /no space left/);
  assert.deepEqual([batches.length, faults.length], [1, 0]);
});

test('each batch is measured, and followed to the requests of its orders where they are followed', async () => {
  const spans: unknown[] = [];
  const measured: [orders: number, durationMs: number][] = [];
  const tracer = {
    current: () => undefined,
    span: <Result>(span: unknown, act: () => Promise<Result>) => {
      spans.push(span);
      return act();
    },
  };
  const meter = { ...silentMeter, orderBatch: (...batch: (typeof measured)[number]) => measured.push(batch) };
  const { queue } = queueBefore(() => ({ outcome: 'placed' }), { tracer, meter });
  const startedAtMs = performance.now();
  await Promise.all([
    queue.submit({ ...orderOf('a'), traceparent: 'the first request' }),
    queue.submit(orderOf('b', 'another')),
  ]);
  const elapsedMs = performance.now() - startedAtMs;
  const attributes = { 'bestow.orders': 2 };
  const links = ['the first request'];
  assert.deepEqual(spans, [{ name: 'place orders together', kind: 'internal', attributes, links }]);
  assert.equal(measured.length, 1);
  const [orders, durationMs = -1] = measured[0] ?? [];
  assert.equal(orders, 2);
  assert.ok(durationMs >= 0 && durationMs <= elapsedMs);
});
