import { withBareRoute } from './ceiling/bare-route.ts';
import { type CeilingResult, measureCeiling } from './ceiling/measure.ts';
import type { Installation } from './installation.ts';
import { type LoadResult, runLoad } from './load/run-load.ts';
import type { Row } from './rows.ts';
import type { Site } from './site.ts';
import { type Spread, spreadOf } from './statistics.ts';

export interface MeasuredRow {
  row: Row;
  /** 200 and 201 answers a second; for a latency row the median in milliseconds. */
  service: Spread;
  ceiling: Spread;
  ratio: number;
  conflicts: number;
  failed: number;
  isMet: boolean;
  /** Below half the goal: fails the short run. */
  isFarOff: boolean;
}

export interface Bench {
  installation: Installation;
  site: Site;
  url: string;
  seconds: number;
  repeats: number;
  /** Reports what is measured now. */
  say(text: string): void;
  /** Runs around each load of the orders row. */
  watch<Result extends { succeeded: number }>(act: () => Promise<Result>): Promise<Result>;
}

interface Taken {
  service: LoadResult[];
  ceiling: CeilingResult[];
}

/** Measures ceiling and service alternately, so that noise hits both. */
export async function measureRows(bench: Bench, rows: readonly Row[]): Promise<MeasuredRow[]> {
  const taken = new Map<Row, Taken>(rows.map((row) => [row, { service: [], ceiling: [] }]));
  const inTransaction = await chooseOrderForm(bench, rows);
  for (let repeat = 1; repeat <= bench.repeats; repeat += 1) {
    const ceilings = new Map<string, CeilingResult>();
    for (const [row, { service, ceiling }] of taken) {
      bench.say(`run ${repeat} of ${bench.repeats}: ${row.work}, ${row.connections} connections`);
      // Rows with the same task share one ceiling.
      const name = JSON.stringify(row.ceiling);
      const measured = ceilings.get(name) ?? (await measureCeilingOf(bench, row, inTransaction));
      ceilings.set(name, measured);
      ceiling.push(measured);
      service.push(await measureService(bench, row));
    }
  }
  return [...taken].map(([row, results]) => summarize(row, results));
}

/** Takes the faster of one statement and a transaction of several. */
async function chooseOrderForm({ installation, repeats, seconds, say }: Bench, rows: readonly Row[]): Promise<boolean> {
  if (repeats === 1 || !rows.some(({ ceiling }) => ceiling.work === 'order')) return false;
  say('which is faster for one order: one statement, or a transaction of several');
  const load = { work: 'order', connections: 16, seconds } as const;
  const whole = await measureCeiling(installation.target, load);
  const parts = await measureCeiling(installation.target, { ...load, inTransaction: true }).catch(() => undefined);
  say(`one statement ${Math.round(whole.perSecond)}/s, a transaction ${Math.round(parts?.perSecond ?? 0)}/s`);
  return parts !== undefined && parts.perSecond > whole.perSecond;
}

async function measureCeilingOf(bench: Bench, row: Row, inTransaction: boolean): Promise<CeilingResult> {
  const { work, connections } = row.ceiling;
  const { seconds } = bench;
  if (work === 'bare route') {
    const load = { requests: row.requests(bench.site), connections: row.connections, seconds };
    return withBareRoute((url) => runLoad(url, load));
  }
  const isOrder = work === 'order' || work === 'order of ten';
  return measureCeiling(bench.installation.target, {
    work,
    connections,
    seconds,
    inTransaction: isOrder && inTransaction,
  });
}

function measureService(bench: Bench, row: Row): Promise<LoadResult> {
  const { url, seconds, site } = bench;
  const { connections, hasConflicts } = row;
  const load = () => runLoad(url, { requests: row.requests(site), connections, seconds, hasConflicts });
  return row.name === 'orders' ? bench.watch(load) : load();
}

function summarize(row: Row, { service, ceiling }: Taken): MeasuredRow {
  const figure = ({ perSecond, p50Ms }: CeilingResult) => (row.measures === 'rate' ? perSecond : p50Ms);
  const [ours, theirs] = [spreadOf(service.map(figure)), spreadOf(ceiling.map(figure))];
  const ratio = ours.median / theirs.median;
  const [isMet, isFarOff] =
    row.measures === 'rate' ? [ratio >= row.goal, ratio < row.goal / 2] : [ratio <= row.goal, ratio > row.goal * 2];
  const sum = (of: (result: LoadResult) => number) => service.reduce((total, result) => total + of(result), 0);
  return {
    row,
    service: ours,
    ceiling: theirs,
    ratio,
    conflicts: sum(({ conflicts }) => conflicts),
    failed: sum(({ failed }) => failed),
    isMet,
    isFarOff,
  };
}
