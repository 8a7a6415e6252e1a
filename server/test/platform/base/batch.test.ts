import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BatchOptions, createBatcher, QueueFull } from '../../../src/platform/base/batch.ts';

/** Runs that the test ends. */
function heldRuns(options: Partial<Omit<BatchOptions<number, number>, 'run'>> = {}) {
  const runs: { items: number[]; end(): void; fail(error: unknown): void }[] = [];
  const batcher = createBatcher<number, number>({
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, end: () => resolve(items.map((item) => item * 10)), fail: reject });
      }),
    maxItems: 64,
    maxRuns: 2,
    ...options,
  });
  const itemsOfRuns = () => runs.map(({ items }) => items);
  return { batcher, runs, itemsOfRuns };
}
const nextTick = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('items of one tick go together, each with its own outcome', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns();
  const outcomes = Promise.all([1, 2, 3].map((item) => batcher.submit(item)));
  await nextTick();
  assert.deepEqual(itemsOfRuns(), [[1, 2, 3]]);
  runs[0]?.end();
  assert.deepEqual(await outcomes, [10, 20, 30]);
});

test('runs have at most maxItems, at most maxRuns go at once, and the rest goes next', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns({ maxItems: 2 });
  const outcomes = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.submit(item)));
  await nextTick();
  assert.deepEqual(itemsOfRuns(), [
    [1, 2],
    [3, 4],
  ]);
  runs[0]?.end();
  await nextTick();
  assert.deepEqual(itemsOfRuns()[2], [5]);
  for (const run of runs) run.end();
  assert.deepEqual(await outcomes, [10, 20, 30, 40, 50]);
});

test('a failed run fails its own items only', async () => {
  const { batcher, runs } = heldRuns({ maxItems: 1, maxRuns: 1 });
  const first = batcher.submit(1);
  const second = batcher.submit(2);
  await nextTick();
  runs[0]?.fail(new Error('broken'));
  await assert.rejects(first, /broken/);
  await nextTick();
  runs[1]?.end();
  assert.equal(await second, 20);
});

test('refuses the 10,001st waiting item and keeps the others', async () => {
  const { batcher, runs } = heldRuns({ maxItems: 10_000 });
  const outcomes = Array.from({ length: 10_000 }, () => batcher.submit(1));
  await assert.rejects(batcher.submit(3), QueueFull);
  await nextTick();
  runs[0]?.end();
  assert.deepEqual(await Promise.all(outcomes), Array(10_000).fill(10));
});

test('a stall refuses the waiting items too', async () => {
  const { batcher, runs } = heldRuns({ maxItems: 1, maxRuns: 1, isStall: (error) => error === 'stalled' });
  const first = batcher.submit(1);
  await nextTick();
  const second = batcher.submit(2);
  runs[0]?.fail('stalled');
  await assert.rejects(first, (error) => error === 'stalled');
  await assert.rejects(second, QueueFull);
});

test('an item runs at once beside a slow run', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns();
  const outcomes = [batcher.submit(1)];
  await nextTick();
  outcomes.push(batcher.submit(2));
  await nextTick();
  assert.deepEqual(itemsOfRuns(), [[1], [2]]);
  for (const run of runs) run.end();
  assert.deepEqual(await Promise.all(outcomes), [10, 20]);
});
