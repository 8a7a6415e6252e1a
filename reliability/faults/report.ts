import type { FaultResult } from './fault.ts';

/** The run of one fault. If it broke off, `error` says why. */
export interface Ran {
  name: string;
  holds: boolean;
  seconds: number;
  result?: FaultResult;
  error?: string;
}

/** Returns a line of figures and a line for each violation and failure. */
export function reportLines({ name, holds, seconds, result, error }: Ran): string[] {
  if (result === undefined) return [`✖ ${name}: ${error ?? 'not run'}`];
  const { count, violations, failures, recoveriesMs, notes } = result;
  const recovery = recoveriesMs.length === 0 ? '' : `, recovery ${recoveryText(recoveriesMs)}`;
  const faults = `${violations.length} violations, ${failures.length} broken promises`;
  return [
    `${holds ? '✔' : '✖'} ${name}: ${count} times in ${seconds.toFixed(0)} s, ${faults}${recovery}`,
    ...notes.map((note) => `    ${note}`),
    ...violations.map(({ invariant, text }) => `  ✖ ${invariant}: ${text}`),
    ...failures.map((text) => `  ✖ ${text}`),
  ];
}

function recoveryText(recoveriesMs: readonly number[]): string {
  const sorted = recoveriesMs.toSorted((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return `median ${inSeconds(median)}, max ${inSeconds(sorted.at(-1) ?? 0)}`;
}

export const inSeconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

export function verdictLine(ran: readonly Ran[]): string {
  const broken = ran.filter(({ holds }) => !holds).map(({ name }) => name);
  if (ran.length === 0) return 'No fault was run.';
  if (broken.length === 0) return `All ${ran.length} faults hold.`;
  return `${broken.length} of ${ran.length} faults do not hold: ${broken.join(', ')}.`;
}
