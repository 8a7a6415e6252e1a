import { setTimeout as sleep } from 'node:timers/promises';
import { isOf, isOk } from '../checker/read-record.ts';
import type { Violation } from '../checker/violation.ts';
import type { LoadOptions } from '../load/start-load.ts';
import type { Recorder } from '../record/recorder.ts';
import type { FaultContext, FaultResult } from './fault.ts';
import type { Rig } from './rig.ts';
import { strangeErrors } from './strange-errors.ts';

/** What came of one injection. */
export interface Injected {
  /** How long it was felt. */
  recoveryMs?: number;
  /** Promises that were not kept, in a sentence each. */
  failures?: string[];
  /** What is only known later; it is waited for at the end. */
  later?: Promise<Injected>;
}

export interface Injection {
  load: Partial<LoadOptions> & Pick<LoadOptions, 'urls'>;
  /** Does it once, and returns when what it broke is whole again. */
  inject(number: number): Promise<Injected>;
  /** Where the lists are walked at the end. */
  url(): string;
  /** How long the load goes on before each injection. */
  betweenMs?: { least: number; most: number };
  isClockTrue?: boolean;
}

/** A check takes seconds once the record is large. */
const CHECKED_EVERY = 25;

/** Injects a fault as often as asked, with clients at work all the time, and checks now and then and at the end. */
export async function injectUnderLoad(
  rig: Rig,
  { count, random, say, isQuick = false }: FaultContext,
  { load: options, inject, url, betweenMs = { least: 500, most: 2_000 }, isClockTrue = true }: Injection,
): Promise<FaultResult> {
  const violations: Violation[] = [];
  const failures: string[] = [];
  const recoveriesMs: number[] = [];
  // What takes twenty seconds to be processed is not waited for in a test.
  const steers = isQuick ? { steers: false } : {};
  const later: Promise<void>[] = [];
  const take = (number: number, injected: Injected) => {
    if (injected.recoveryMs !== undefined) recoveriesMs.push(injected.recoveryMs);
    failures.push(...(injected.failures ?? []).map((text) => `Number ${number}: ${text}`));
    if (injected.later !== undefined) later.push(injected.later.then((known) => take(number, known)));
  };
  let load = rig.startLoad({ ...options, ...steers });
  for (let number = 1; number <= count; number += 1) {
    await sleep(betweenMs.least + random() * (betweenMs.most - betweenMs.least));
    take(number, await inject(number));
    if (number % CHECKED_EVERY !== 0 || number === count) continue;
    await load.stop();
    // What is under way may take its time until the end.
    violations.push(...(await rig.check(undefined, { nowMs: 0 })));
    for (const { invariant, text } of violations) say(`${invariant}: ${text}`);
    say(`${number} of ${count}, ${violations.length} violations, ${failures.length} promises not kept`);
    load = rig.startLoad({ ...options, ...steers, world: load.world });
  }
  await Promise.all(later);
  await load.stop();
  if (!(await rig.settle())) failures.push('What was under way was not done within a minute of the last injection.');
  violations.push(...(await rig.check(url(), { isClockTrue })));
  failures.push(...strangeErrors(rig.recorder));
  return { count, violations: distinct(violations), failures, recoveriesMs, notes: [figures(rig.recorder)] };
}

/** A violation that stays is found by each check. */
const distinct = (violations: readonly Violation[]) => [
  ...new Map(violations.map((violation) => [`${violation.invariant} ${violation.text}`, violation])).values(),
];

/** What clients and recipients saw, in a sentence. */
export function figures({ calls, messages, crashesAtMs }: Recorder): string {
  const count = (kind: 'ok' | 'failed' | 'unknown') => calls.filter(({ outcome }) => outcome.kind === kind).length;
  const placed = calls.filter(
    (call) => isOk(call) && isOf(call, 'placeOrder', 'replay') && call.outcome.status === 201,
  );
  const duplicates = messages.length - new Set(messages.map(({ reference }) => reference)).size;
  const resets = calls.filter((call) => isOk(call) && isOf(call, 'reset')).length;
  return [
    `${calls.length} calls: ${count('ok')} ok, ${count('failed')} failed, ${count('unknown')} unknown`,
    outcomes(calls),
    `${placed.length} orders placed`,
    `${resets} resets`,
    `${messages.length} emails arrived, ${duplicates} of them twice`,
    `${crashesAtMs.length} crashes`,
  ].join('; ');
}

/** How often each error and each break, the most frequent first. */
function outcomes(calls: Recorder['calls']): string {
  const names = calls.flatMap(({ outcome }) =>
    outcome.kind === 'failed' ? [outcome.code] : outcome.kind === 'unknown' ? [outcome.reason] : [],
  );
  return [...Map.groupBy(names, (name) => name)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([name, all]) => `${name} ${all.length}`)
    .join(', ');
}
