import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SteeringEffect } from '../../../src/core/sandbox/steering.ts';
import { createAnswerSteering } from '../../../src/core/sandbox/steering.ts';
import { OutcomeUnknown } from '../../../src/platform/base/outcome-unknown.ts';

/** A clock whose timers the test runs. */
function manualClock() {
  const timers: { run(): void; ms: number }[] = [];
  const clock = {
    now: () => 0,
    setTimeout: (run: () => void, ms: number) => timers.push({ run, ms }),
    clearTimeout: () => undefined,
    setInterval: () => undefined,
    clearInterval: () => undefined,
  };
  return { timers, steerAnswer: createAnswerSteering({ clock }) };
}
const tick = () => new Promise((resolve) => setImmediate(resolve));

async function hasEnded(answer: Promise<void>): Promise<boolean> {
  let isEnded = false;
  void answer.then(() => {
    isEnded = true;
  });
  await tick();
  return isEnded;
}

test('delays an answer by five seconds only if one of its gifts is slow', async () => {
  const { timers, steerAnswer } = manualClock();
  const others: (SteeringEffect | undefined)[] = [undefined, 'delivered', 'processing', 'rate_limit_exceeded'];
  assert.equal(await hasEnded(steerAnswer(others)), true);
  assert.equal(await hasEnded(steerAnswer([])), true);
  const slow = steerAnswer([undefined, 'slow']);
  assert.equal(await hasEnded(slow), false);
  assert.deepEqual(
    timers.map(({ ms }) => ms),
    [5_000],
  );
  timers[0]?.run();
  assert.equal(await hasEnded(slow), true);
});

test('throws a steered OutcomeUnknown for a lost answer, after a slow one’s delay', async () => {
  const { timers, steerAnswer } = manualClock();
  const isSteered = (error: unknown) =>
    error instanceof OutcomeUnknown && error.isSteered && error.message === 'The address asks for it.';
  await assert.rejects(steerAnswer(['opened', 'response_lost']), isSteered);
  const both = steerAnswer(['slow', 'response_lost']);
  assert.equal(timers.length, 1);
  timers[0]?.run();
  await assert.rejects(both, isSteered);
});

test('delays at most 500 slow answers at a time', async () => {
  const { timers, steerAnswer } = manualClock();
  const slow = Array.from({ length: 500 }, () => steerAnswer(['slow']));
  assert.equal(timers.length, 500);
  assert.equal(await hasEnded(steerAnswer(['slow'])), true);
  timers[0]?.run();
  await slow[0];
  const next = steerAnswer(['slow']);
  assert.equal(timers.length, 501);
  for (const { run } of timers) run();
  await Promise.all([...slow, next]);
});
