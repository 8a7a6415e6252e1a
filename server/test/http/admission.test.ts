import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmission } from '../../src/http/admission.ts';

/** With a clock of its own. */
function admit(requests: number) {
  let nowMs = 0;
  const admission = createAdmission(() => nowMs);
  const enter = (count: number) => {
    for (let n = 0; n < count; n += 1) admission.enter();
  };
  const leave = (count: number) => {
    for (let n = 0; n < count; n += 1) admission.leave();
  };
  enter(requests);
  return {
    ...admission,
    enter: (count: number) => enter(count),
    leave: (count: number) => leave(count),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('a rush of what a key may send at once is taken whole', () => {
  const { isFull, enter } = admit(2_000);
  assert.equal(isFull(), false);
  enter(500);
  assert.equal(isFull(), true);
});

test('a rush that lasts is cut at six hundred, until nearly all of it is done', () => {
  const { isFull, enter, leave, pass } = admit(2_000);
  pass(1_001);
  assert.equal(isFull(), true);
  leave(1_401);
  assert.equal(isFull(), false);
  enter(1);
  assert.equal(isFull(), true);
  leave(500);
  assert.equal(isFull(), false);
  enter(1_900);
  assert.equal(isFull(), false);
});

test('a request whose body is still on its way waits for nobody', async () => {
  const { isFull, isBusy, whileReading, pass } = admit(1_000);
  pass(1_001);
  assert.equal(isFull(), true);
  const bodies = Array.from({ length: 950 }, () => Promise.withResolvers<void>());
  const read = bodies.map(({ promise }) => whileReading(promise));
  pass(3_000);
  assert.deepEqual([isFull(), isBusy()], [false, false]);
  for (const { resolve } of bodies) resolve();
  await Promise.all(read);
  pass(1_001);
  assert.deepEqual([isFull(), isBusy()], [true, true]);
});
