import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOf } from '../checker/read-record.ts';
import { createLoadClient } from '../load/client.ts';
import type { Recorder } from '../record/recorder.ts';
import type { Fault } from './fault.ts';
import { type Installation, openInstallation } from './installation.ts';
import { figures, loadFault } from './load-fault.ts';
import { unexplainedAnswers } from './strange-errors.ts';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const HELD_MS = 12_000;
/** A steered order is processing for 20 s. */
const PROCESSED_WITHIN_MS = 45_000;
/** A little longer than the hour that the clock is moved by. */
const LINK_TTL_DAYS = String(1.1 / 24);

/** libfaketime moves the clock of the processes; PostgreSQL keeps the true time, as on another machine. */
export const moveClock = loadFault({
  name: 'move-clock',
  summary:
    'The clock an hour forward and back: no job is done by it, nothing expires early, nothing is stuck afterwards.',
  fullCount: 3,
  shortCount: 1,
  async start(installation) {
    if (!existsSync(LIBRARY)) throw new Error(`${LIBRARY} is missing; install Debian's package faketime.`);
    const clock = join(installation.dataDir, 'clock');
    await writeFile(clock, '+0\n');
    const server = await installation.startServer({
      variables: {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        // A real clock that is set does not move the monotonic clock.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        LINK_TTL_DAYS,
      },
    });
    return {
      load: { urls: [server.url] },
      url: () => server.url,
      isClockTrue: false,
      async inject() {
        const failures: string[] = [];
        for (const offset of ['+3600', '-3600']) {
          await writeFile(clock, `${offset}\n`);
          await sleep(HELD_MS);
          const { reasons } = (await (await fetch(`${server.url}/readyz`)).json()) as { reasons?: string[] };
          if (reasons?.[0] !== 'clock_differs') failures.push(`/readyz is silent at ${offset} s.`);
          await writeFile(clock, '+0\n');
          await sleep(HELD_MS);
          failures.push(...(await stuckOrders(installation, offset)));
        }
        if (server.child.exitCode !== null) failures.push('the server ended.');
        return { failures };
      },
      finish: ({ failures }) => void failures.push(...expiredLinks(installation.recorder)),
    };
  },
});

async function stuckOrders({ sql }: Installation, offset: string): Promise<string[]> {
  const read = async () => {
    const rows = await sql<{ order_id: string }>('select order_id from orders where completes_at is not null');
    return rows.map(({ order_id }) => order_id);
  };
  const waiting = await read();
  const untilMs = performance.now() + PROCESSED_WITHIN_MS;
  for (;;) {
    const left = (await read()).filter((id) => waiting.includes(id));
    if (left.length === 0) return [];
    if (performance.now() > untilMs) return [`${left.length} orders were not processed after ${offset} s: ${left[0]}.`];
    await sleep(500);
  }
}

/** Reports pages of expired links; no link is an hour old. */
export function expiredLinks({ calls }: Recorder): string[] {
  const expired = calls.filter(
    (call) => isOf(call, 'openPage') && call.outcome.kind === 'failed' && call.outcome.code === 'page_410',
  );
  return expired.length === 0 ? [] : [`${expired.length} links expired early, such as ${expired[0]?.subjectId}.`];
}

const ANSWER_WITHIN_MS = 30_000;

export const resetSandbox = loadFault({
  name: 'reset-sandbox',
  summary: 'Resets against orders, messages and claims: exact counts, no orphan, nothing sent, others untouched.',
  fullCount: 200,
  shortCount: 30,
  options: {
    organizations: [{ environments: ['live', 'sandbox'] }, { environments: ['live', 'sandbox'], resets: true }],
  },
  async start(installation, { random }) {
    const { url } = await installation.startServer();
    const { recorder } = installation;
    const organization = installation.organizations.find(({ resets }) => resets);
    if (organization === undefined) throw new Error('No organization resets.');
    // The fault resets, so the load does not.
    const organizations = installation.organizations.map((each) => ({ ...each, resets: false }));
    const timeoutMs = ANSWER_WITHIN_MS;
    const client = createLoadClient({ urls: [url], recorder, random, timeoutMs, knownWithinMs: timeoutMs });
    return {
      load: { urls: [url], organizations, clients: 12, perSecond: 150 },
      url: () => url,
      betweenMs: { least: 50, most: 500 },
      async inject() {
        const call = { organization, operation: 'reset', method: 'POST', path: '/v1/sandbox/reset' } as const;
        const { kind } = await client.once(call);
        await installation.fund(organization);
        return { failures: kind === 'ok' ? [] : ['the reset was not answered with its counts.'] };
      },
      finish: () => client.close(),
    };
  },
});

const SAMPLES = 12;
/** Caches, pools and the heap fill first. */
const WARM_UP_SAMPLES = 4;
const MOST_MEMORY_GROWTH = 1.25;
const MOST_MORE_HANDLES = 10;
/** Of the live rows, plus what a small table holds between two vacuums. */
const MOST_DEAD_SHARE = 0.3;
const DEAD_ALLOWED = 5_000;

/** What must not grow while a server does the same work. */
interface Sample {
  memoryMb: number;
  handles: number;
  liveRows: number;
  deadRows: number;
}

async function takeSample({ sql }: Installation, pid: number): Promise<Sample> {
  const [rows] = await sql<{ live: string; dead: string }>(
    'select sum(n_live_tup) as live, sum(n_dead_tup) as dead from pg_stat_user_tables',
  );
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    memoryMb: Math.round(Number(resident) / 1024),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    liveRows: Number(rows?.live),
    deadRows: Number(rows?.dead),
  };
}

function judgeSamples(samples: readonly Sample[]): string[] {
  const settled = samples.slice(WARM_UP_SAMPLES);
  const middle = Math.floor(settled.length / 2);
  const most = (field: keyof Sample, part: readonly Sample[]) => Math.max(...part.map((sample) => sample[field]));
  const grown = (field: keyof Sample) => [most(field, settled.slice(0, middle)), most(field, settled.slice(middle))];
  const [[memory = 0, memoryLater = 0], [handles = 0, handlesLater = 0]] = [grown('memoryMb'), grown('handles')];
  const { deadRows = 0, liveRows = 0 } = samples.at(-1) ?? {};
  return [
    ...(memoryLater > MOST_MEMORY_GROWTH * memory ? [`Memory grew from ${memory} to ${memoryLater} MB.`] : []),
    ...(handlesLater > handles + MOST_MORE_HANDLES ? [`Handles grew from ${handles} to ${handlesLater}.`] : []),
    ...(deadRows > MOST_DEAD_SHARE * liveRows + DEAD_ALLOWED ? [`${deadRows} dead rows beside ${liveRows}.`] : []),
  ];
}

export const soak: Fault = {
  name: 'soak',
  summary:
    'A light load of every act for --minutes: memory, handles and dead rows stay flat, every answer is expected.',
  fullCount: 1,
  shortCount: 1,
  runsByDefault: false,
  async run({ count, random, say, minutes = 60 }) {
    const installation = await openInstallation({ random, messageTakesMs: 2 });
    try {
      const { url, child } = await installation.startServer();
      const load = installation.startLoad({ urls: [url], perSecond: 20 });
      const samples: Sample[] = [];
      while (samples.length < SAMPLES) {
        await sleep((minutes * 60_000) / SAMPLES);
        samples.push(await takeSample(installation, child.pid ?? 0));
        say(JSON.stringify(samples.at(-1)));
      }
      await load.stop();
      const failures = judgeSamples(samples);
      if (!(await installation.settle())) failures.push('It hung: work was pending two minutes after the end.');
      failures.push(...unexplainedAnswers(installation.recorder));
      const notes = [...samples.map((sample) => JSON.stringify(sample)), figures(installation.recorder)];
      return { count, violations: await installation.check(url), failures, recoveriesMs: [], notes };
    } finally {
      await installation.close();
    }
  },
};
