import { readdirSync, readFileSync } from 'node:fs';

export const SAMPLES = 12;
/** The first part of a run fills caches, pools and the heap. */
const WARM_UP_SAMPLES = 4;
const MOST_MEMORY_GROWTH = 1.25;
const MOST_MORE_HANDLES = 10;
/** Of the live ones, plus what a small table may hold between two vacuums. */
const MOST_DEAD_SHARE = 0.3;
const DEAD_ALLOWED = 5_000;

/** What must not grow while a server does the same for long. */
export interface Sample {
  minute: number;
  memoryMb: number;
  handles: number;
  liveRows: number;
  deadRows: number;
  databaseMb: number;
}

export const ROW_COUNTS = `select sum(n_live_tup) as live, sum(n_dead_tup) as dead,
  pg_database_size(current_database()) as bytes from pg_stat_user_tables`;

/** @param rows what `ROW_COUNTS` answered */
export function takeSample(rows: Record<string, unknown>[], pid: number, minute: number): Sample {
  return {
    minute: Math.round(minute * 10) / 10,
    memoryMb: Math.round(residentMb(pid)),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    liveRows: Number(rows[0]?.['live']),
    deadRows: Number(rows[0]?.['dead']),
    databaseMb: Math.round(Number(rows[0]?.['bytes']) / 2 ** 20),
  };
}

export function judgeSamples(samples: readonly Sample[]): string[] {
  const settled = samples.slice(WARM_UP_SAMPLES);
  const middle = Math.floor(settled.length / 2);
  const most = (of: (sample: Sample) => number, part: readonly Sample[]) => Math.max(...part.map(of));
  const [early, late] = [settled.slice(0, middle), settled.slice(middle)];
  const memory = [most(({ memoryMb }) => memoryMb, early), most(({ memoryMb }) => memoryMb, late)] as const;
  const handles = [most(({ handles }) => handles, early), most(({ handles }) => handles, late)] as const;
  const last = samples.at(-1);
  return [
    ...(memory[1] > MOST_MEMORY_GROWTH * memory[0] ? [`Memory went from ${memory[0]} to ${memory[1]} MB.`] : []),
    ...(handles[1] > handles[0] + MOST_MORE_HANDLES ? [`Open handles went from ${handles[0]} to ${handles[1]}.`] : []),
    ...(last !== undefined && last.deadRows > MOST_DEAD_SHARE * last.liveRows + DEAD_ALLOWED
      ? [`${last.deadRows} dead rows stand beside ${last.liveRows} live ones.`]
      : []),
  ];
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
