import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type BatchOptions, createBatcher, QueueFull } from '../../src/base/batch.ts';

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

/** Mocks the time. */
function holdTime(t: TestContext): (ms: number) => void {
  // Not zero: a wrong sum would equal the difference.
  let nowMs = 3_600_000;
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  return (ms) => {
    nowMs += ms;
    t.mock.timers.tick(ms);
  };
}

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

test('few items wait for the current run, but not for a slow one', async (t) => {
  const pass = holdTime(t);
  const { batcher, runs, itemsOfRuns } = heldRuns({ worthARun: 3 });
  const first = batcher.submit(1);
  await nextTick();
  const second = batcher.submit(2);
  await nextTick();
  assert.deepEqual(itemsOfRuns(), [[1]]);
  pass(160);
  assert.deepEqual(itemsOfRuns(), [[1], [2]]);
  runs[1]?.end();
  assert.equal(await second, 20);
  runs[0]?.end();
  assert.equal(await first, 10);
});

test('as many items as are worth a run start a second run', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns({ worthARun: 3 });
  const outcomes = [batcher.submit(1)];
  await nextTick();
  outcomes.push(...[2, 3, 4].map((item) => batcher.submit(item)));
  await nextTick();
  assert.deepEqual(itemsOfRuns(), [[1], [2, 3, 4]]);
  for (const run of runs) run.end();
  await Promise.all(outcomes);
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

test('refuses an item that has waited too long, and runs later items', async (t) => {
  const pass = holdTime(t);
  const { batcher, runs } = heldRuns({ maxItems: 1, maxRuns: 1, maxWaitMs: 20 });
  const first = batcher.submit(1);
  await nextTick();
  const refused = assert.rejects(batcher.submit(2), QueueFull);
  await nextTick();
  pass(160);
  await refused;
  runs[0]?.end();
  assert.equal(await first, 10);
  const third = batcher.submit(3);
  await nextTick();
  runs[1]?.end();
  assert.equal(await third, 30);
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

test('a single item runs at once if no run is under way', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns({ worthARun: 3 });
  const first = batcher.submit(1);
  await nextTick();
  runs[0]?.end();
  assert.equal(await first, 10);
  const second = batcher.submit(2);
  await nextTick();
  assert.deepEqual(itemsOfRuns(), [[1], [2]]);
  runs[1]?.end();
  assert.equal(await second, 20);
});

test('a slow run does not delay items that come one after another', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns({ worthARun: 3, maxRuns: 3 });
  const outcomes = [batcher.submit(1)];
  await nextTick();
  for (const item of [2, 3]) {
    outcomes.push(batcher.submit(item));
    for (let looks = 0; looks < 100 && runs.length < item; looks += 1) await wait(5);
  }
  assert.deepEqual(itemsOfRuns(), [[1], [2], [3]]);
  for (const run of runs) run.end();
  assert.deepEqual(await Promise.all(outcomes), [10, 20, 30]);
});
