import { number, table } from '../print.ts';
import { medianOf } from '../statistics.ts';
import { openWorks } from './open-works.ts';
import type { Run } from './time-work.ts';
import type { WorkedSide } from './worked-side.ts';

/** A person or a program waits so long for the first byte, line or bar of progress. */
const MOST_FIRST_MS = 2_000;

export interface WorkResult {
  work: string;
  /** Medians, and the most memory of any run. */
  few: Run;
  many: Run;
}

const summarize = (runs: readonly Run[]): Run => ({
  firstMs: medianOf(runs.map(({ firstMs }) => firstMs)),
  ms: medianOf(runs.map(({ ms }) => ms)),
  peakMb: Math.max(...runs.map(({ peakMb }) => peakMb)),
});

/** Runs each work in turn with few and with many gifts. The first run of each side is not counted, if there are several. */
export async function compareWorks(few: WorkedSide, many: WorkedSide, say: (text: string) => void) {
  const opened = [await openWorks(few), await openWorks(many)] as const;
  try {
    const results: WorkResult[] = [];
    for (const [index, { work, times, run }] of opened[0].works.entries()) {
      const onMany = opened[1].works[index];
      if (onMany === undefined) throw new Error(`The other side has no ${work}.`);
      const [fewRuns, manyRuns]: [Run[], Run[]] = [[], []];
      for (let n = 0; n < times; n += 1) {
        fewRuns.push(await run());
        manyRuns.push(await onMany.run());
      }
      const warm = times > 1 ? 1 : 0;
      const result = { work, few: summarize(fewRuns.slice(warm)), many: summarize(manyRuns.slice(warm)) };
      say(`${work}: ${number(result.few.ms)} and ${number(result.many.ms)} ms`);
      results.push(result);
    }
    return results;
  } finally {
    for (const { close } of opened) await close();
  }
}

/** What waits too long without a sign. */
export const silent = (results: readonly WorkResult[]): string[] =>
  results.filter(({ many }) => many.firstMs > MOST_FIRST_MS).map(({ work }) => work);

export function presentWorks(gifts: number, results: readonly WorkResult[]): string {
  const lines = results.map(({ work, few, many }) => [
    work.replaceAll('/organizations/{organization_id}/{environment}', '/…'),
    `${number(few.ms)} ms`,
    `${number(many.ms)} ms`,
    `${number(many.firstMs)} ms`,
    `${number(few.peakMb)}, ${number(many.peakMb)} MB`,
  ]);
  const heading = ['Work', 'Few', 'Many', 'Its first byte', 'Most memory'];
  const late = silent(results);
  const verdict =
    late.length === 0
      ? `Each shows something within ${number(MOST_FIRST_MS)} ms.`
      : `Nothing for more than ${number(MOST_FIRST_MS)} ms: ${late.join('; ')}.`;
  return `An organization with ${number(gifts)} live gifts:\n\n${table(heading, lines)}\n\n${verdict}`;
}
