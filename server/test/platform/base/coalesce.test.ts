import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CoalesceOptions, coalesce, QueueFull } from '../../../src/platform/base/coalesce.ts';

/** Runs that the test ends. */
function heldRuns(options: Partial<Omit<CoalesceOptions<number, number>, 'run'>> = {}) {
  const runs: { items: number[]; end(): void; fail(error: unknown): void }[] = [];
  const calls = coalesce<number, number>({
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, end: () => resolve(items.map((item) => item * 10)), fail: reject });
      }),
    maxItems: 64,
    maxRuns: 2,
    ...options,
  });
  const itemsOfRuns = () => runs.map(({ items }) => items);
  return { calls, runs, itemsOfRuns };
}
const nextTick = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('items of one tick go together, each with its own outcome', async () => {
  const { calls, runs, itemsOfRuns } = heldRuns();
  const outcomes = Promise.all([1, 2, 3].map((item) => calls.submit(item)));
  await nextTick();
  assert.deepEqual(itemsOfRuns(), [[1, 2, 3]]);
  runs[0]?.end();
  assert.deepEqual(await outcomes, [10, 20, 30]);
});

test('runs have at most maxItems, at most maxRuns go at once, and the rest goes next', async () => {
  const { calls, runs, itemsOfRuns } = heldRuns({ maxItems: 2 });
  const outcomes = Promise.all([1, 2, 3, 4, 5].map((item) => calls.submit(item)));
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
  const { calls, runs } = heldRuns({ maxItems: 1, maxRuns: 1 });
  const first = calls.submit(1);
  const second = calls.submit(2);
  await nextTick();
  runs[0]?.fail(new Error('broken'));
  await assert.rejects(first, /broken/);
  await nextTick();
  runs[1]?.end();
  assert.equal(await second, 20);
});

test('refuses the 10,001st waiting item and keeps the others', async () => {
  const { calls, runs } = heldRuns({ maxItems: 10_000 });
  const outcomes = Array.from({ length: 10_000 }, () => calls.submit(1));
  await assert.rejects(calls.submit(3), QueueFull);
  await nextTick();
  runs[0]?.end();
  assert.deepEqual(await Promise.all(outcomes), Array(10_000).fill(10));
});

test('a stall refuses the waiting items too', async () => {
  const { calls, runs } = heldRuns({ maxItems: 1, maxRuns: 1, isStall: (error) => error === 'stalled' });
  const first = calls.submit(1);
  await nextTick();
  const second = calls.submit(2);
  runs[0]?.fail('stalled');
  await assert.rejects(first, (error) => error === 'stalled');
  await assert.rejects(second, QueueFull);
});

test('an item runs at once beside a slow run', async () => {
  const { calls, runs, itemsOfRuns } = heldRuns();
  const outcomes = [calls.submit(1)];
  await nextTick();
  outcomes.push(calls.submit(2));
  await nextTick();
  assert.deepEqual(itemsOfRuns(), [[1], [2]]);
  for (const run of runs) run.end();
  assert.deepEqual(await Promise.all(outcomes), [10, 20]);
});
