import { withBareRoute } from './ceiling/bare-route.ts';
import { type CeilingResult, measureCeiling } from './ceiling/measure.ts';
import type { Installation } from './installation.ts';
import { type LoadResult, runLoad } from './load/run-load.ts';
import { type Comparison, ORDERS_ROW, type Row } from './rows.ts';
import type { Site } from './site.ts';
import { type Spread, spreadOf } from './statistics.ts';

/** A figure of a row beside its goal. */
export interface Check {
  name: string;
  /** Figure of the reference; not set for a plain limit. */
  reference: Spread | undefined;
  /** Ratio to the reference, or the figure of a plain limit. */
  value: number;
  goal: number | undefined;
  limit: number | undefined;
  /** Whether the goal is the largest value. */
  isMost: boolean;
  isMet: boolean;
  /** Beyond the limit: fails the short run. */
  isFarOff: boolean;
}

export interface MeasuredRow {
  row: Row;
  /** 200 and 201 answers a second; for a latency row the median in milliseconds. */
  service: Spread;
  p99Ms: Spread;
  checks: Check[];
  conflicts: number;
  /** Answers that the row does not allow. */
  failed: number;
}

export interface Bench {
  installation: Installation;
  site: Site;
  url: string;
  seconds: number;
  repeats: number;
  /** Warms up the compiler for each row and each server that starts. */
  warmUpSeconds: number;
  /** Reports what is measured now. */
  say(text: string): void;
  /** Runs around each load of the orders row. */
  watch<Result extends { succeeded: number }>(act: () => Promise<Result>): Promise<Result>;
}

interface Taken {
  service: Map<Row, LoadResult[]>;
  /** One for each repeat; rows with the same reference share it. */
  references: Map<string, CeilingResult[]>;
}

const nameOf = ({ reference }: Comparison) => JSON.stringify(reference);

/** Measures references and service alternately, so that noise hits both. */
export async function measureRows(bench: Bench, rows: readonly Row[]): Promise<MeasuredRow[]> {
  const taken: Taken = { service: new Map(rows.map((row) => [row, []])), references: new Map() };
  for (let repeat = 1; repeat <= bench.repeats; repeat += 1)
    for (const row of rows) {
      bench.say(`run ${repeat} of ${bench.repeats}: ${row.name}`);
      for (const comparison of row.comparisons) await measureReference(bench, row, comparison, repeat, taken);
      taken.service.get(row)?.push(await measureService(bench, row, repeat));
    }
  return rows.map((row) => summarize(row, taken));
}

async function measureReference(bench: Bench, row: Row, comparison: Comparison, repeat: number, taken: Taken) {
  const { reference } = comparison;
  const measured = taken.references.get(nameOf(comparison)) ?? [];
  if (reference === 'orders row' || measured.length === repeat) return;
  const { seconds, site, installation } = bench;
  taken.references.set(nameOf(comparison), measured);
  measured.push(
    reference === 'bare route'
      ? await withBareRoute((url) =>
          runLoad(url, { requests: row.requests(site), connections: row.connections, seconds }),
        )
      : await measureCeiling(installation.target, { ...reference, seconds }),
  );
}

async function measureService(bench: Bench, row: Row, repeat: number): Promise<LoadResult> {
  const { url, seconds, site, installation, warmUpSeconds } = bench;
  const load = { requests: row.requests(site), connections: row.connections, seconds };
  if (row === ORDERS_ROW) return bench.watch(() => runLoad(url, load));
  if (row.settings === undefined) {
    // In its first second a route is not compiled yet: 2,600 pages of gifts a second instead of 5,400.
    if (repeat === 1) await runLoad(url, { ...load, seconds: warmUpSeconds });
    return runLoad(url, load);
  }
  const located = { DATABASE_URL: installation.databaseUrl };
  const server = await installation.startServer({ ...located, ...row.settings });
  try {
    await runLoad(server.url, { ...load, seconds: warmUpSeconds });
    return await runLoad(server.url, load);
  } finally {
    await server.stop();
  }
}

function summarize(row: Row, { service, references }: Taken): MeasuredRow {
  const results = service.get(row) ?? [];
  const isMost = row.measures === 'latency';
  const figures = (of: readonly CeilingResult[]) =>
    spreadOf(of.map(isMost ? (one) => one.p50Ms : (one) => one.perSecond));
  const ours = figures(results);
  const p99Ms = spreadOf(results.map((result) => result.p99Ms));
  const checks = row.comparisons.map((comparison) => {
    const { name, reference, goal, limit } = comparison;
    const theirs = figures(
      (reference === 'orders row' ? service.get(ORDERS_ROW) : references.get(nameOf(comparison))) ?? [],
    );
    return check({ name, reference: theirs, value: ours.median / theirs.median, goal, limit, isMost });
  });
  if (row.mostP99Ms !== undefined)
    checks.push(
      check({
        name: 'p99, ms',
        reference: undefined,
        value: p99Ms.median,
        goal: row.mostP99Ms,
        limit: undefined,
        isMost: true,
      }),
    );
  if (row.leastPerSecond !== undefined) {
    const least = { name: 'a second', reference: undefined, limit: undefined, isMost: false };
    checks.push(check({ ...least, value: ours.median, goal: row.leastPerSecond }));
  }
  const sum = (of: (result: LoadResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const conflicts = sum((result) => result.conflicts);
  const failed = sum((result) => result.failed) + (row.mayConflict ? 0 : conflicts);
  return { row, service: ours, p99Ms, checks, conflicts, failed };
}

function check(measured: Omit<Check, 'isMet' | 'isFarOff'>): Check {
  const { value, goal, isMost } = measured;
  if (goal === undefined) return { ...measured, isMet: true, isFarOff: false };
  const { limit = isMost ? goal * 2 : goal / 2 } = measured;
  const isWithin = (bound: number) => (isMost ? value <= bound : value >= bound);
  return { ...measured, isMet: isWithin(goal), isFarOff: !isWithin(limit) };
}
