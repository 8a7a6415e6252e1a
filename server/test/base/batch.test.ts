import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type BatchOptions, createBatcher, QueueFull, WaitedTooLong } from '../../src/base/batch.ts';

/** Runs that end when they are told to, and the items of each. */
function heldRuns(options: Partial<Omit<BatchOptions<number, number>, 'run'>> = {}) {
  const runs: { items: number[]; end(): void; fail(error: unknown): void }[] = [];
  const batcher = createBatcher<number, number>({
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, end: () => resolve(items.map((item) => item * 10)), fail: reject });
      }),
    maxItems: 64,
    maxRuns: 2,
    maxWaiting: 100,
    ...options,
  });
  const itemsOfRuns = () => runs.map(({ items }) => items);
  return { batcher, runs, itemsOfRuns };
}
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Lets time pass as the test says: a busy machine holds a process up for longer than the limits of these tests. */
function holdTime(t: TestContext): (ms: number) => void {
  // An hour, as of a process that has long been running: at zero a wrong sum is the right difference.
  let nowMs = 3_600_000;
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  return (ms) => {
    nowMs += ms;
    t.mock.timers.tick(ms);
  };
}

test('items of one turn go together, each with its own outcome', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns();
  const outcomes = Promise.all([1, 2, 3].map((item) => batcher.submit(item)));
  await turn();
  assert.deepEqual(itemsOfRuns(), [[1, 2, 3]]);
  runs[0]?.end();
  assert.deepEqual(await outcomes, [10, 20, 30]);
});

test('no run takes more than it may, no more runs than may go at once, and what waited goes next', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns({ maxItems: 2 });
  const outcomes = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.submit(item)));
  await turn();
  assert.deepEqual(itemsOfRuns(), [
    [1, 2],
    [3, 4],
  ]);
  runs[0]?.end();
  await turn();
  assert.deepEqual(itemsOfRuns()[2], [5]);
  for (const run of runs) run.end();
  assert.deepEqual(await outcomes, [10, 20, 30, 40, 50]);
});

test('fewer than are worth a run wait for the one under way; a run that takes long holds nobody up', async (t) => {
  const pass = holdTime(t);
  const { batcher, runs, itemsOfRuns } = heldRuns({ worthARun: 3 });
  const first = batcher.submit(1);
  await turn();
  const second = batcher.submit(2);
  await turn();
  assert.deepEqual(itemsOfRuns(), [[1]]);
  pass(160);
  assert.deepEqual(itemsOfRuns(), [[1], [2]]);
  runs[1]?.end();
  assert.equal(await second, 20);
  runs[0]?.end();
  assert.equal(await first, 10);
});

test('as many as are worth a run go beside the one under way', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns({ worthARun: 3 });
  const outcomes = [batcher.submit(1)];
  await turn();
  outcomes.push(...[2, 3, 4].map((item) => batcher.submit(item)));
  await turn();
  assert.deepEqual(itemsOfRuns(), [[1], [2, 3, 4]]);
  for (const run of runs) run.end();
  await Promise.all(outcomes);
});

test('more runs go at once than usual only while each of them is full', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns({ maxItems: 2, maxRuns: 1, maxFullRuns: 3 });
  const outcomes = [1, 2, 3, 4, 5].map((item) => batcher.submit(item));
  await turn();
  assert.deepEqual(itemsOfRuns(), [
    [1, 2],
    [3, 4],
  ]);
  outcomes.push(...[6, 7, 8].map((item) => batcher.submit(item)));
  await turn();
  assert.deepEqual(itemsOfRuns().slice(2), [[5, 6]]);
  for (const run of runs.slice(0, 2)) run.end();
  await turn();
  assert.deepEqual(itemsOfRuns().slice(3), [[7, 8]]);
  for (const run of runs) run.end();
  assert.deepEqual(await Promise.all(outcomes), [10, 20, 30, 40, 50, 60, 70, 80]);
});

test('a run that fails fails its own items, and the next ones are run', async () => {
  const { batcher, runs } = heldRuns({ maxItems: 1, maxRuns: 1 });
  const first = batcher.submit(1);
  const second = batcher.submit(2);
  await turn();
  runs[0]?.fail(new Error('broken'));
  await assert.rejects(first, /broken/);
  await turn();
  runs[1]?.end();
  assert.equal(await second, 20);
});

test('where too many wait, the next one is refused, and those that wait are not', async () => {
  const { batcher, runs } = heldRuns({ maxWaiting: 2 });
  const outcomes = [batcher.submit(1), batcher.submit(2)];
  await assert.rejects(batcher.submit(3), QueueFull);
  await turn();
  runs[0]?.end();
  assert.deepEqual(await Promise.all(outcomes), [10, 20]);
});

test('what has waited too long behind runs that do not end is refused, and later ones go on', async (t) => {
  const pass = holdTime(t);
  const { batcher, runs } = heldRuns({ maxItems: 1, maxRuns: 1, maxWaitMs: 20 });
  const first = batcher.submit(1);
  await turn();
  const refused = assert.rejects(batcher.submit(2), QueueFull);
  await turn();
  pass(160);
  await refused;
  runs[0]?.end();
  assert.equal(await first, 10);
  const third = batcher.submit(3);
  await turn();
  runs[1]?.end();
  assert.equal(await third, 30);
});

test('what changes nothing is given up where it has no answer in time, also while it is run', async (t) => {
  const pass = holdTime(t);
  const { batcher, runs, itemsOfRuns } = heldRuns({ maxItems: 1, maxRuns: 1, answerWithinMs: 20 });
  const both = [batcher.submit(1), batcher.submit(2)];
  await turn();
  pass(20);
  await Promise.all([
    assert.rejects(both[0] as Promise<number>, (error) => {
      return error instanceof WaitedTooLong && error.message === 'There was no answer in time.';
    }),
    assert.rejects(both[1] as Promise<number>, QueueFull),
  ]);
  const third = batcher.submit(3);
  runs[0]?.end();
  await turn();
  runs[1]?.end();
  assert.equal(await third, 30);
  assert.deepEqual(itemsOfRuns(), [[1], [3]]);
});

test('where a run fails by what holds up every run, those that wait are refused with it', async () => {
  const { batcher, runs } = heldRuns({ maxItems: 1, maxRuns: 1, isStall: (error) => error === 'stalled' });
  const first = batcher.submit(1);
  await turn();
  const second = batcher.submit(2);
  runs[0]?.fail('stalled');
  await assert.rejects(first, (error) => error === 'stalled');
  await assert.rejects(second, QueueFull);
});

test('where no run is under way an item goes at once, also right after one, whatever a run is worth', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns({ worthARun: 3 });
  const first = batcher.submit(1);
  await turn();
  runs[0]?.end();
  assert.equal(await first, 10);
  const second = batcher.submit(2);
  await turn();
  assert.deepEqual(itemsOfRuns(), [[1], [2]]);
  runs[1]?.end();
  assert.equal(await second, 20);
});

test('what is answered or refused leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const { batcher, runs } = heldRuns({ maxItems: 1, maxRuns: 1, answerWithinMs: 60_000, maxWaitMs: 20 });
  const first = batcher.submit(1);
  await turn();
  await assert.rejects(batcher.submit(2), { message: 'The queue is full.' });
  runs[0]?.end();
  assert.equal(await first, 10);
  await wait(60);
  assert.equal(timers(), before);
});

test('a run that takes long holds up none of those that come one after another', async () => {
  const { batcher, runs, itemsOfRuns } = heldRuns({ worthARun: 3, maxRuns: 3 });
  const outcomes = [batcher.submit(1)];
  await turn();
  for (const item of [2, 3]) {
    outcomes.push(batcher.submit(item));
    // The next one comes just after a run, so it has to wait for its patience and not for the event loop.
    for (let looks = 0; looks < 100 && runs.length < item; looks += 1) await wait(5);
  }
  assert.deepEqual(itemsOfRuns(), [[1], [2], [3]]);
  for (const run of runs) run.end();
  assert.deepEqual(await Promise.all(outcomes), [10, 20, 30]);
});
