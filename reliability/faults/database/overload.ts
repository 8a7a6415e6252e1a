import { setTimeout as sleep } from 'node:timers/promises';
import { type Installation, install } from '../../../bench/installation.ts';
import { residentMb } from '../../../bench/processor.ts';
import { keepTo, processors } from '../../processors.ts';
import type { Fault, FaultContext } from '../fault.ts';
import type { FloodResult } from './flood.ts';
import { judgeOrders } from './judge-orders.ts';
import { createFlood, type Flood } from './run-flood.ts';

/** So many that few orders of one organization meet. */
const ORGANIZATIONS = 4_096;
const WARM_UP_SECONDS = 10;
const PEAK_SECONDS = 15;
const PEAK_CONNECTIONS = 128;
const TIMES = 5;
const OVERLOAD_SECONDS = 60;
/** All opened before: how fast new ones are taken meanwhile is not measured. */
const MOST_CONNECTIONS = 4_000;
const REST_MS = 10_000;
const NORMAL_SECONDS = 10;
const NORMAL_CONNECTIONS = 256;
const NORMAL_SHARE = 0.5;

const LEAST_USEFUL_SHARE = 0.7;
const MOST_MEMORY_MB = 512;
const REFUSED_WITHIN_P99_MS = 1_000;
/** A busy machine may take a few times as long from one moment to the next. */
const NORMAL_P99_TIMES = 3;

const EXPECTED = new Set(['201', '409', '429']);
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const perSecond = ({ placedInTime, seconds }: FloodResult) => placedInTime / seconds;

export const overload: Fault = {
  name: 'overload',
  summary:
    'Five times the orders that the machine carries, for a minute: 70 % of the peak is placed, the rest refused at once with 429, and all is normal 10 s later.',
  issueCount: 2,
  shortCount: 1,
  runsByDefault: false,
  async run(context) {
    // With all that it starts, which are PostgreSQL and the server; the clients have the others.
    await keepTo(processors.service);
    const installation = await install();
    try {
      await installation.bestow(['catalog', 'add-built-in', '--json']);
      const flood = await createFlood(await installation.seed(ORGANIZATIONS, 'sandbox'), processors.clients);
      try {
        return await overloadTimes(context, installation, flood);
      } finally {
        await flood.close();
      }
    } finally {
      await installation.close();
      await keepTo(processors.all);
    }
  },
};

async function overloadTimes({ count, say }: FaultContext, installation: Installation, flood: Flood) {
  const { url, pid } = await installation.startServer();
  const floods: FloodResult[] = [];
  let mostMb = 0;
  const watch = setInterval(() => {
    mostMb = Math.max(mostMb, residentMb(pid));
  }, 200);
  const run = async (name: string, options: Omit<Parameters<Flood['run']>[0], 'url'>) => {
    const result = await flood.run({ url, ...options });
    floods.push(result);
    say(`${name}: ${Math.round(perSecond(result))} orders a second; ${JSON.stringify(result)}`);
    return result;
  };
  const failures: string[] = [];
  const notes: string[] = [];
  try {
    await run('warm-up', { connections: PEAK_CONNECTIONS, seconds: WARM_UP_SECONDS });
    for (let number = 1; number <= count; number += 1) {
      const closed = await run('peak', { connections: PEAK_CONNECTIONS, seconds: PEAK_SECONDS });
      const peak = perSecond(closed);
      const normally = { connections: NORMAL_CONNECTIONS, seconds: NORMAL_SECONDS, perSecond: NORMAL_SHARE * peak };
      const before = await run('normal before', normally);
      const over = await run('overload', {
        connections: MOST_CONNECTIONS,
        seconds: OVERLOAD_SECONDS,
        perSecond: TIMES * peak,
      });
      const overMb = residentMb(pid);
      await sleep(REST_MS);
      const after = await run('normal after', normally);
      failures.push(...judge(peak, before, over, after).map((text) => `Number ${number}: ${text}`));
      notes.push(tell(peak, before, over, after), `${Math.round(overMb)} MB resident after it`);
    }
  } finally {
    clearInterval(watch);
  }
  if (mostMb > MOST_MEMORY_MB) failures.push(`The server took ${Math.round(mostMb)} MB.`);
  notes.push(`at most ${Math.round(mostMb)} MB`);
  failures.push(...(await judgeOrders(installation, floods)));
  return { count, violations: [], failures, recoveriesMs: [], notes };
}

function judge(peak: number, before: FloodResult, over: FloodResult, after: FloodResult): string[] {
  const total = sum(Object.values(over.came));
  const others = total - sum([...EXPECTED].map((name) => over.came[name] ?? 0));
  const useful = perSecond(over) / peak;
  const offered = total / over.seconds;
  return [
    ...(offered < TIMES * peak * 0.95 ? [`only ${Math.round(offered)} a second were sent.`] : []),
    ...(useful < LEAST_USEFUL_SHARE ? [`${(100 * useful).toFixed(1)} % of the peak was placed.`] : []),
    ...(others > 0 ? [`${others} came to something else: ${JSON.stringify(over.came)}.`] : []),
    ...(over.withoutRetryAfter > 0 ? [`${over.withoutRetryAfter} answers 429 had no Retry-After.`] : []),
    ...(over.refused.p99Ms > REFUSED_WITHIN_P99_MS
      ? [`refusals took ${Math.round(over.refused.p99Ms)} ms (p99).`]
      : []),
    ...(sum(Object.values(after.came)) > (after.came['201'] ?? 0) + (after.came['409'] ?? 0)
      ? [`it was not normal afterwards: ${JSON.stringify(after.came)}.`]
      : []),
    ...(after.placed.p99Ms > NORMAL_P99_TIMES * before.placed.p99Ms
      ? [`p99 was ${Math.round(before.placed.p99Ms)} ms before and ${Math.round(after.placed.p99Ms)} ms afterwards.`]
      : []),
  ];
}

function tell(peak: number, before: FloodResult, over: FloodResult, after: FloodResult): string {
  const ms = ({ p50Ms, p99Ms }: FloodResult['placed']) => `${Math.round(p50Ms)} and ${Math.round(p99Ms)} ms`;
  const rate = (result: FloodResult) => Math.round(perSecond(result));
  return [
    `peak ${Math.round(peak)} orders a second`,
    `${TIMES} times that: ${rate(over)} (${((100 * perSecond(over)) / peak).toFixed(1)} %) in ${ms(over.placed)} (median, p99)`,
    `${JSON.stringify(over.came)}, ${JSON.stringify(over.codes)}, refused in ${ms(over.refused)}`,
    `not sent ${over.unsent}, ${over.opened} connections opened, the generator late by at most ${Math.round(over.latestMs)} ms`,
    `half the peak before: ${rate(before)} in ${ms(before.placed)}; 10 s after: ${rate(after)} in ${ms(after.placed)}`,
  ].join('; ');
}
