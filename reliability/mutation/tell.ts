import type { Fate, Verdict } from './judge.ts';

const LEAST_KILLED_PERCENT = 85;

export const isAlive = ({ fate }: Verdict) => fate === 'survived' || fate === 'not-reached';

/** A survivor's line, with why that is right where it is known. */
export function tellSurvivor({ mutant: { path, line, from, to }, fate, because }: Verdict): string {
  const what = `${fate} ${path}:${line} «${from}» as «${to}»`;
  return because === undefined ? `UNEXPLAINED ${what}` : `explained ${what}: ${because}`;
}

/** One that does not end is noticed as well as one that fails; one that no test reaches is not. */
export function tellFigures(verdicts: readonly Verdict[]): string {
  const count = (fate: Fate) => verdicts.filter((verdict) => verdict.fate === fate).length;
  const percent = ((100 * (count('killed') + count('timed-out'))) / verdicts.length).toFixed(1);
  return (
    `${verdicts.length} mutants, ${count('killed')} killed, ${count('timed-out')} timed out, ` +
    `${count('survived')} survived, ${count('not-reached')} not reached: ${percent} %`
  );
}

/** Whether enough died and every survivor is explained, and the line that says so. */
export function conclude(name: string, verdicts: readonly Verdict[]): { isWell: boolean; line: string } {
  const alive = verdicts.filter(isAlive);
  const unexplained = alive.filter(({ because }) => because === undefined).length;
  const isEnough = 100 * (verdicts.length - alive.length) >= LEAST_KILLED_PERCENT * verdicts.length;
  return {
    isWell: isEnough && unexplained === 0,
    line: `${name}: ${tellFigures(verdicts)}; ${alive.length - unexplained} explained, ${unexplained} not`,
  };
}
