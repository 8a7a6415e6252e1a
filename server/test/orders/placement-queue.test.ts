import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PoolClient } from 'pg';
import { silentMeter } from '../../src/base/meter.ts';
import type { OrderRecord } from '../../src/orders/order-record.ts';
import { createPlacementQueue } from '../../src/orders/placement-queue.ts';
import type { PlacementRow } from '../../src/orders/queries.ts';
import { orderRecord } from '../harness/order-record.ts';

const scope = { organizationId: '01a1fdfa-467b-7000-8000-000000000001', environment: 'sandbox' } as const;

const orderOf = (key: string, organizationId: string = scope.organizationId) =>
  orderRecord({ idempotency_key: key, organization_id: organizationId });

type Sent = OrderRecord & { n: number };
type Outcome = Partial<PlacementRow> & Pick<PlacementRow, 'outcome'>;

/** A queue with a fake PostgreSQL that decides each order, and the batches that it got. */
function queueBefore(decide: (order: Sent, batch: Sent[]) => Outcome, observers: object = {}) {
  const batches: string[][] = [];
  const faults: unknown[] = [];
  const client = {
    async query({ values }: { values?: string[] }) {
      // The check of the session.
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
    log: { error: (...logged: unknown[]) => faults.push(logged) },
    meter: silentMeter,
    tracer: undefined,
    ...observers,
  };
  const queue = createPlacementQueue(deps as unknown as Parameters<typeof createPlacementQueue>[0], 64);
  return { queue, batches, faults };
}

/** PostgreSQL's error about invalid content. */
const refusal = Object.assign(new Error('a poisonous order'), { code: '22000' });

test('remembers a key once its order is placed or replayed, per environment', async () => {
  const outcomes: Record<string, PlacementRow['outcome']> = { a: 'placed', b: 'replayed', c: 'insufficient_balance' };
  const { queue } = queueBefore((order) => ({ outcome: outcomes[order.idempotency_key] ?? 'locked' }));
  for (const key of ['a', 'b', 'c']) await queue.submit(orderOf(key));
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => queue.hasPlaced(scope, key)),
    [true, true, false, false],
  );
  assert.equal(queue.hasPlaced({ ...scope, environment: 'live' }, 'a'), false);
});

test('answers a second order with the same key; another key runs without the lock', async () => {
  const { queue, batches } = queueBefore(({ may_be_placed }) => ({ outcome: may_be_placed ? 'placed' : 'refused' }));
  const [first, same, other] = await Promise.all([
    queue.submit(orderOf('a')),
    queue.submit(orderOf('a')),
    queue.submit(orderOf('b')),
  ]);
  assert.deepEqual([first?.outcome, same, other?.outcome], ['placed', { outcome: 'same_key_under_way' }, 'locked']);
  assert.deepEqual(batches, [['a', 'b']]);
  assert.equal((await queue.submit(orderOf('b'))).outcome, 'placed', 'the first order is done');
});

test('an order without the lock keeps its refusal, missing member or replay', async () => {
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

test('an order already refused does not lock the balance', async () => {
  const { queue, batches } = queueBefore(({ may_be_placed }) => ({ outcome: may_be_placed ? 'placed' : 'refused' }));
  const [steered, other] = await Promise.all([
    queue.submit({ ...orderOf('a'), may_be_placed: false }),
    queue.submit(orderOf('b')),
  ]);
  assert.deepEqual([steered.outcome, other.outcome], ['refused', 'placed']);
  assert.deepEqual(batches, [['a', 'b']]);
});

test('if PostgreSQL refuses a batch, each order is placed alone', async () => {
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
  const message = 'A batch of orders failed and is placed one order at a time.';
  assert.deepEqual(faults, [[{ err: refusal, orders: 3 }, message]]);
  await assert.rejects(queue.submit(orderOf('bad')), /poisonous/);
  assert.equal(batches.length, 5, 'a single order is not retried');
});

test('if the database itself fails, no order of a batch is retried', async () => {
  const { queue, batches, faults } = queueBefore(() => {
    throw Object.assign(new Error('no space left'), { code: '53100' });
  });
  const both = [queue.submit(orderOf('a')), queue.submit(orderOf('b', 'another'))];
  for (const order of both) await assert.rejects(order, /no space left/);
  assert.deepEqual([batches.length, faults.length], [1, 0]);
});

test('each batch is measured, and traced if its requests are traced', async () => {
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
