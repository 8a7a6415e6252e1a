import { setTimeout as sleep } from 'node:timers/promises';
import { isOf, isOk } from '../checker/read-record.ts';
import type { Violation } from '../checker/violation.ts';
import type { LoadOptions } from '../load/start-load.ts';
import type { Outcome, Recorder } from '../record/recorder.ts';
import type { Fault, FaultContext, FaultResult } from './fault.ts';
import { type Installation, type InstallationOptions, openInstallation } from './installation.ts';
import { strangeErrors } from './strange-errors.ts';

/** The effect of one injection. */
export interface Injected {
  /** How long it was felt. */
  recoveryMs?: number;
  /** Broken promises, a sentence each. */
  failures?: string[];
  /** What is known only later. */
  later?: Promise<Injected>;
}

export interface Injection {
  load: Partial<LoadOptions> & Pick<LoadOptions, 'urls'>;
  /** Injects once and returns when the installation is whole again. */
  inject(number: number): Promise<Injected>;
  /** Ends what fails until now, so that all pending work can end. */
  heal?(): void;
  /** The server whose lists are walked at the end. */
  url(): string;
  /** How long the load runs before each injection. */
  betweenMs?: { least: number; most: number };
  isClockTrue?: boolean;
  /** Adds to the result after the last check. */
  finish?(result: FaultResult): Promise<void> | void;
}

type LoadFault = Omit<Fault, 'run'> & {
  options?: Omit<InstallationOptions, 'random'>;
  start(installation: Installation, context: FaultContext): Promise<Injection>;
};

/** Builds a fault that is injected under load into a new installation. */
export const loadFault = ({ options = {}, start, ...fault }: LoadFault): Fault => ({
  ...fault,
  async run(context) {
    const installation = await openInstallation({ random: context.random, messageTakesMs: 20, ...options });
    try {
      return await injectUnderLoad(installation, context, await start(installation, context));
    } finally {
      await installation.close();
    }
  },
});

type LoadFaultOn<Ground> = Omit<Fault, 'run'> & {
  /** Opens what the installation stands on, such as a disk. */
  open(): Promise<Ground>;
  options?(ground: Ground): LoadFault['options'];
  start(installation: Installation, ground: Ground, context: FaultContext): Promise<Injection>;
};

/** Builds a fault as `loadFault` does, on something that is opened before the installation and closed after it. */
export const loadFaultOn = <Ground extends { close(): Promise<void> }>({
  open,
  options = () => ({}),
  start,
  ...fault
}: LoadFaultOn<Ground>): Fault => ({
  ...fault,
  async run(context) {
    const ground = await open();
    try {
      const startOn = (installation: Installation) => start(installation, ground, context);
      return await loadFault({ ...fault, options: options(ground) ?? {}, start: startOn }).run(context);
    } finally {
      await ground.close();
    }
  },
});

/** A check takes seconds once the record is large. */
const CHECKED_EVERY = 25;

/** Injects a fault `count` times while clients work, and checks now and then and at the end. */
export async function injectUnderLoad(
  installation: Installation,
  { count, random, say, isQuick = false }: FaultContext,
  injection: Injection,
): Promise<FaultResult> {
  const { load: options, inject, url, betweenMs = { least: 500, most: 2_000 }, isClockTrue = true } = injection;
  const violations: Violation[] = [];
  const failures: string[] = [];
  const recoveriesMs: number[] = [];
  // A steered order takes 20 s to be processed.
  const steers = isQuick ? { steers: false } : {};
  const later: Promise<void>[] = [];
  const take = (number: number, injected: Injected) => {
    if (injected.recoveryMs !== undefined) recoveriesMs.push(injected.recoveryMs);
    failures.push(...(injected.failures ?? []).map((text) => `Number ${number}: ${text}`));
    if (injected.later !== undefined) later.push(injected.later.then((known) => take(number, known)));
  };
  let load = installation.startLoad({ ...options, ...steers });
  for (let number = 1; number <= count; number += 1) {
    await sleep(betweenMs.least + random() * (betweenMs.most - betweenMs.least));
    take(number, await inject(number));
    if (number % CHECKED_EVERY !== 0 || number === count) continue;
    await load.stop();
    // Work may still be pending; the last check looks at that.
    violations.push(...(await installation.check(undefined, { nowMs: 0 })));
    say(`${number} of ${count}, ${violations.length} violations, ${failures.length} broken promises`);
    load = installation.startLoad({ ...options, ...steers, states: load.states });
  }
  await Promise.all(later);
  await load.stop();
  injection.heal?.();
  if (!(await installation.settle())) failures.push('It hung: work was pending two minutes after the last injection.');
  violations.push(...(await installation.check(url(), { isClockTrue })));
  failures.push(...strangeErrors(installation.recorder));
  const notes = [figures(installation.recorder)];
  const result = { count, violations: distinct(violations), failures, recoveriesMs, notes };
  await injection.finish?.(result);
  return result;
}

/** Each check finds a lasting violation again. */
const distinct = (violations: readonly Violation[]) => [
  ...new Map(violations.map((violation) => [`${violation.invariant} ${violation.text}`, violation])).values(),
];

/** Describes an order that was not placed. */
export const failuresOfProbe = (outcome: Outcome): string[] =>
  outcome.kind === 'ok' ? [] : [`an order ended with ${JSON.stringify(outcome)}.`];

/** Sums up what clients and recipients saw. */
export function figures({ calls, messages, crashesAtMs }: Recorder): string {
  const count = (kind: 'ok' | 'failed' | 'unknown') => calls.filter(({ outcome }) => outcome.kind === kind).length;
  const placed = calls.filter(
    (call) => isOk(call) && isOf(call, 'placeOrder', 'replay') && call.outcome.status === 201,
  );
  const duplicates = messages.length - new Set(messages.map(({ reference }) => reference)).size;
  const names = calls.flatMap(({ outcome }) =>
    outcome.kind === 'failed' ? [outcome.code] : outcome.kind === 'unknown' ? [outcome.reason] : [],
  );
  const errors = [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name} ${all.length}`);
  return [
    `${calls.length} calls: ${count('ok')} ok, ${count('failed')} failed, ${count('unknown')} unknown`,
    errors.join(', '),
    `${placed.length} orders placed`,
    `${messages.length} emails arrived, ${duplicates} of them duplicates`,
    `${crashesAtMs.length} crashes`,
  ].join('; ');
}
