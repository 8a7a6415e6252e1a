import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds that all threads of a process were on a processor since they began; Linux counts them in nanoseconds. */
export function processorMs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
    } catch {
      // The thread ended meanwhile.
    }
  return nanoseconds / 1e6;
}

/** The middle of some figures; the lower of two. */
export function medianOf(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor((figures.length - 1) / 2)] ?? Number.NaN;
}

/** The figure that 99 of 100 do not exceed. */
export function p99Of(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.ceil(figures.length * 0.99) - 1] ?? Number.NaN;
}
