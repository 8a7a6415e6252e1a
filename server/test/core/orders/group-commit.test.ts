import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PoolClient } from 'pg';
import { GroupCommit } from '../../../src/core/orders/group-commit.ts';
import type { PlacementRow } from '../../../src/core/orders/placement.ts';
import type { OrderRecord } from '../../../src/core/orders/prepare-order.ts';
import { createIdGenerator } from '../../../src/platform/base/ids.ts';
import { silentMeter } from '../../../src/platform/base/meter.ts';
import { readConfig } from '../../../src/platform/configuration/config.ts';

type Sent = OrderRecord & { n: number };
type Outcome = Partial<PlacementRow> & Pick<PlacementRow, 'outcome'>;

const clock = { now: () => Date.parse('2026-11-21T12:00:00Z') } as Parameters<typeof createIdGenerator>[0];

/** Groups with a fake PostgreSQL that decides each order, and the idempotency keys of each statement. */
function groupsBefore(decide: (order: Sent, group: Sent[]) => Outcome, { deps = {}, options = {} } = {}) {
  const statements: string[][] = [];
  const names: (string | undefined)[] = [];
  const faults: unknown[] = [];
  const ids = createIdGenerator(clock);
  const client = {
    async query({ name, values }: { name?: string; values?: string[] }) {
      // The check of the session.
      if (values === undefined) return { rows: [] };
      const orders = JSON.parse(values.at(-2) ?? '[]') as Sent[];
      names.push(name);
      statements.push(orders.map(({ idempotency_key }) => idempotency_key));
      const nothing = {
        cap: null,
        earlier: null,
        unknown_category_position: null,
        last_id: null,
        caller_state: 'admitted',
      };
      return { rows: orders.map((order) => ({ ...nothing, n: order.n, ...decide(order, orders) })) };
    },
    release: () => undefined,
  } as unknown as PoolClient;
  const groups = new GroupCommit(
    {
      placement: { connect: async () => client } as never,
      clock,
      config: readConfig({ PORT: '0' }),
      ids,
      log: { error: (...logged: unknown[]) => faults.push(logged) } as never,
      meter: silentMeter,
      tracer: undefined,
      ...deps,
    },
    { maxOrders: 64, maxRuns: 2, lockWaitMs: 10_000, ...options },
  );
  const submit = async (key: string, organizationId = 'one', traceparent?: string) => {
    const buyer = { organizationId, environment: 'sandbox', keyHash: Buffer.alloc(32) } as const;
    const order = {
      buyer,
      idempotencyKey: key,
      fingerprint: '',
      body: { gifts: [] },
      beginning: undefined,
      traceparent,
    };
    return (await groups.submit(order)).row.outcome;
  };
  return { submit, statements, names, faults };
}

/** PostgreSQL's error about invalid content. */
const refusal = Object.assign(new Error('a poisonous order'), { code: '22000' });

test('orders of one organization go into one statement, in order of arrival', async () => {
  const { submit, statements } = groupsBefore(() => ({ outcome: 'placed' }));
  await Promise.all(['a', 'b', 'c'].map((key) => submit(key)));
  assert.deepEqual(statements, [['a', 'b', 'c']]);
});

test('a second order with the same key waits for the first one', async () => {
  const { submit, statements } = groupsBefore(() => ({ outcome: statements.length > 1 ? 'replayed' : 'placed' }));
  assert.deepEqual(await Promise.all([submit('a'), submit('a'), submit('b')]), ['placed', 'replayed', 'placed']);
  assert.deepEqual(statements, [['a', 'b'], ['a']]);
});

test('organizations take turns, so a large one does not delay a small one', async () => {
  const { submit, statements } = groupsBefore(() => ({ outcome: 'placed' }), { options: { maxOrders: 4 } });
  const large = Array.from({ length: 9 }, (_, n) => submit(`large ${n}`, 'large'));
  await Promise.all([...large, submit('small', 'small'), submit('tiny', 'tiny')]);
  assert.deepEqual(statements[0], ['large 0', 'small', 'tiny', 'large 1']);
});

test('an order that must run again is first in the next statement, with new ids', async () => {
  const seen: string[] = [];
  const { submit, statements } = groupsBefore(({ idempotency_key, order_id }) => {
    if (idempotency_key !== 'b') return { outcome: 'placed' };
    seen.push(order_id);
    return { outcome: seen.length === 1 ? 'run_again' : 'insufficient_balance' };
  });
  const outcomes = await Promise.all(['a', 'b', 'c'].map((key) => submit(key)));
  assert.deepEqual(outcomes, ['placed', 'insufficient_balance', 'placed']);
  assert.deepEqual(statements, [['a', 'b', 'c'], ['b']]);
  assert.ok((seen[0] ?? '') < (seen[1] ?? ''));
});

test('an unusual order is placed by the statement for all, where its organization’s next orders begin', async () => {
  const { submit, statements, names } = groupsBefore(({ idempotency_key }) => {
    const isUnusual = names.at(-1) === 'orders.place' && idempotency_key.startsWith('capped');
    return { outcome: isUnusual ? 'unusual' : 'placed' };
  });
  assert.equal(await submit('capped 1'), 'placed');
  await Promise.all([submit('capped 2'), submit('usual', 'other'), submit('capped 3')]);
  assert.deepEqual(
    names.map((name, n) => [name, ...(statements[n] ?? [])]),
    [
      ['orders.place', 'capped 1'],
      ['orders.place_any', 'capped 1'],
      ['orders.place_any', 'capped 2', 'capped 3'],
      ['orders.place', 'usual'],
    ],
  );
});

test('ids are raised above those of another process', async () => {
  const far = 'ffffffff-0000-7000-8000-000000000000';
  const ids: string[] = [];
  const { submit } = groupsBefore(({ order_id }) => {
    ids.push(order_id);
    return ids.length === 1 ? { outcome: 'stale_ids', last_id: far } : { outcome: 'placed' };
  });
  assert.equal(await submit('a'), 'placed');
  assert.ok((ids[1] ?? '') > far);
});

test('an order waits for a locked balance, and is locked when its time is over', async () => {
  let looks = 0;
  const free = groupsBefore(() => ({ outcome: ++looks < 3 ? 'locked' : 'placed' }));
  assert.equal(await free.submit('a'), 'placed');
  const held = groupsBefore(() => ({ outcome: 'locked' }), { options: { lockWaitMs: 0 } });
  assert.equal(await held.submit('a'), 'locked');
});

test('at most 64 orders of an organization wait for a locked balance', async () => {
  let isLocked = true;
  const { submit, statements } = groupsBefore(() => ({ outcome: isLocked ? 'locked' : 'placed' }));
  const waiting = Array.from({ length: 64 }, (_, n) => submit(`${n}`));
  while (statements.length === 0) await new Promise(setImmediate);
  await new Promise(setImmediate);
  await assert.rejects(submit('one too many'), { code: 'resource_locked' });
  isLocked = false;
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['placed']));
});

test('if PostgreSQL refuses a group, each order is placed alone', async () => {
  const { submit, statements, faults } = groupsBefore((_, group) => {
    if (group.some(({ idempotency_key }) => idempotency_key === 'bad')) throw refusal;
    return { outcome: 'placed' };
  });
  const orders = await Promise.allSettled([submit('good'), submit('bad'), submit('fine', 'another')]);
  assert.deepEqual(
    orders.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(statements, [['good', 'fine', 'bad'], ['good'], ['fine'], ['bad']]);
  const message = 'A group of orders failed and is placed one order at a time.';
  assert.deepEqual(faults, [[{ err: refusal, orders: 3 }, message]]);
  await assert.rejects(submit('bad'), /poisonous/);
  assert.equal(statements.length, 5, 'a single order is not retried');
});

test('if the database itself fails, no order of a group is retried', async () => {
  const { submit, statements, faults } = groupsBefore(() => {
    throw Object.assign(new Error('no space left'), { code: '53100' });
  });
  const both = [submit('a'), submit('b', 'another')];
  for (const order of both) await assert.rejects(order, /no space left/);
  assert.deepEqual([statements.length, faults.length], [1, 0]);
});

test('each group is measured, and traced if its requests are traced', async () => {
  const spans: unknown[] = [];
  const measured: [orders: number, durationMs: number][] = [];
  const tracer = {
    current: () => undefined,
    span: <Result>(span: unknown, act: () => Promise<Result>) => {
      spans.push(span);
      return act();
    },
  };
  const meter = { ...silentMeter, orderBatch: (...group: (typeof measured)[number]) => measured.push(group) };
  const { submit } = groupsBefore(() => ({ outcome: 'placed' }), { deps: { tracer, meter } });
  const startedAtMs = performance.now();
  await Promise.all([submit('a', 'one', 'the first request'), submit('b', 'another')]);
  const elapsedMs = performance.now() - startedAtMs;
  const attributes = { 'bestow.orders': 2 };
  assert.deepEqual(spans, [
    { name: 'place orders together', kind: 'internal', attributes, links: ['the first request'] },
  ]);
  const [[orders, durationMs = -1] = []] = measured;
  assert.deepEqual([measured.length, orders], [1, 2]);
  assert.ok(durationMs >= 0 && durationMs <= elapsedMs);
});
