import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Machine } from './machine.ts';
import type { TableResult } from './run-table.ts';

/** The one run whose figures README.md and docs/performance.md have; `npm run generate` fills them in. */
export const RECORDED = fileURLToPath(new URL('./results/table.json', import.meta.url));

/** Figures are medians; rates a second, or milliseconds. */
export interface RecordedRun {
  /** ISO. */
  date: string;
  commit: string;
  machine: Machine;
  seconds: number;
  repeats: number;
  rows: {
    name: string;
    work: string;
    connections: number;
    measures: 'rate' | 'latency';
    service: number;
    p99Ms: number;
    checks: { name: string; reference?: number; value: number; goal?: number; isMost: boolean; isMet: boolean }[];
  }[];
  openLoop?: { perSecond: number; p50Ms: number; p99Ms: number; bareP99Ms: number; isMet: boolean };
  resources?: TableResult['resources'];
  start?: TableResult['start'];
}

const rounded = (value: number) => Number(value.toPrecision(4));

export function record({ machine, seconds, repeats, rows, openLoop, resources, start }: TableResult): void {
  const run: RecordedRun = {
    date: new Date(performance.timeOrigin + performance.now()).toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine,
    seconds,
    repeats,
    rows: rows.map(({ row, service, p99Ms, checks }) => ({
      name: row.name,
      work: row.work,
      connections: row.connections,
      measures: row.measures,
      service: rounded(service.median),
      p99Ms: rounded(p99Ms.median),
      checks: checks.map(({ name, reference, value, goal, isMost, isMet }) => ({
        name,
        ...(reference && { reference: rounded(reference.median) }),
        value: rounded(value),
        ...(goal !== undefined && { goal }),
        isMost,
        isMet,
      })),
    })),
    ...(openLoop && {
      openLoop: {
        perSecond: rounded(openLoop.perSecond),
        p50Ms: rounded(openLoop.orders.p50Ms),
        p99Ms: rounded(openLoop.orders.p99Ms),
        bareP99Ms: rounded(openLoop.bareRoute.p99Ms),
        isMet: openLoop.isMet,
      },
    }),
    ...(resources && { resources }),
    ...(start && { start }),
  };
  mkdirSync(dirname(RECORDED), { recursive: true });
  writeFileSync(RECORDED, `${JSON.stringify(run, null, 2)}\n`);
}
