import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '../../../bench/processor.ts';
import type { Fault } from '../fault.ts';
import { figures } from '../inject-under-load.ts';
import { openRig, type Rig } from '../rig.ts';

const DEFAULT_MINUTES = 60;
/** Some acts are several calls; the record holds what an hour of this makes. */
const ACTS_PER_SECOND = 20;
const MESSAGE_TAKES_MS = 2;
/** The first part of the run fills caches, pools and the heap. */
const SAMPLES = 12;
const WARM_UP_SAMPLES = 4;
const MOST_MEMORY_GROWTH = 1.25;
const MOST_MORE_HANDLES = 10;
/** Of the live ones, plus what a small table may hold between two vacuums. */
const MOST_DEAD_SHARE = 0.3;
const DEAD_ALLOWED = 5_000;

interface Sample {
  minute: number;
  memoryMb: number;
  handles: number;
  liveRows: number;
  deadRows: number;
  databaseMb: number;
}

export const soak: Fault = {
  name: 'soak',
  summary: 'A light load for an hour, or as long as --minutes says: memory, handles and dead rows stay flat.',
  issueCount: 1,
  shortCount: 1,
  runsByDefault: false,
  async run({ count, random, say, minutes = DEFAULT_MINUTES }) {
    const rig = await openRig({ random, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      const { url, child } = await rig.startServer();
      const load = rig.startLoad({ urls: [url], perSecond: ACTS_PER_SECOND });
      const samples: Sample[] = [];
      for (let number = 1; number <= SAMPLES; number += 1) {
        await sleep((minutes * 60_000) / SAMPLES);
        const sample = await takeSample(rig, child.pid ?? 0, (number * minutes) / SAMPLES);
        samples.push(sample);
        say(JSON.stringify(sample));
      }
      await load.stop();
      const failures = judge(samples);
      if (!(await rig.settle())) failures.push('What was under way was not done within a minute of the end.');
      const notes = [...samples.map((sample) => JSON.stringify(sample)), figures(rig.recorder)];
      return { count, violations: await rig.check(url), failures, recoveriesMs: [], notes };
    } finally {
      await rig.close();
    }
  },
};

async function takeSample(rig: Rig, pid: number, minute: number): Promise<Sample> {
  const [rows] = await rig.sql<Record<'live' | 'dead' | 'bytes', string>>(
    `select sum(n_live_tup) as live, sum(n_dead_tup) as dead, pg_database_size(current_database()) as bytes
     from pg_stat_user_tables`,
  );
  return {
    minute: Math.round(minute * 10) / 10,
    memoryMb: Math.round(residentMb(pid)),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    liveRows: Number(rows?.live),
    deadRows: Number(rows?.dead),
    databaseMb: Math.round(Number(rows?.bytes) / 2 ** 20),
  };
}

function judge(samples: readonly Sample[]): string[] {
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
