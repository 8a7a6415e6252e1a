import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '../../bench/processor.ts';
import { quantile } from '../../bench/statistics.ts';
import { isOf, isOk } from '../checker/read-record.ts';
import type { Recorder } from '../record/recorder.ts';
import type { Installation, InstalledServer } from './installation.ts';
import { inSeconds } from './report.ts';

/** What was seen of a server and its work until now. */
export interface Watched {
  /** The memory of the process at the beginning, and the most that it had. */
  firstMb: number;
  mostMb: number;
  /** How often `/readyz` answered, and how often with 200. */
  asked: number;
  ready: number;
  /** The reasons that `/readyz` gave. */
  reasons: string[];
  /** The longest that `/readyz` took; endless if it did not answer. */
  slowestReadyMs: number;
  /** The longest that a `processing` order was late. */
  latestJobMs: number;
}

const LOOKS_EVERY_MS = 250;
/** Longer than an answer may take. */
const READY_WITHIN_MS = 5_000;

/**
 * Looks at a server four times a second.
 *
 * @returns `stop`, which says what was seen
 */
export function watchServer(
  { sql }: Pick<Installation, 'sql'>,
  { url, child }: Pick<InstalledServer, 'url' | 'child'>,
) {
  const firstMb = residentMb(child.pid ?? 0);
  const seen = { firstMb, mostMb: firstMb, asked: 0, ready: 0, slowestReadyMs: 0, latestJobMs: 0 };
  const reasons = new Set<string>();
  let isOver = false;

  async function askReady(): Promise<void> {
    const beganAtMs = performance.now();
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READY_WITHIN_MS) }).catch(
      () => undefined,
    );
    seen.asked += 1;
    const tookMs = answer === undefined ? Number.POSITIVE_INFINITY : performance.now() - beganAtMs;
    seen.slowestReadyMs = Math.max(seen.slowestReadyMs, tookMs);
    if (answer?.status === 200) seen.ready += 1;
    else if (answer === undefined) reasons.add('no answer');
    else for (const reason of ((await answer.json()) as { reasons?: string[] }).reasons ?? []) reasons.add(reason);
  }

  const watching = (async () => {
    while (!isOver) {
      await askReady();
      const megabytes = residentMb(child.pid ?? 0);
      if (megabytes > seen.mostMb) seen.mostMb = megabytes;
      // The database may be down or busy.
      const [job] = await sql<{ late: number | null }>(LATEST_JOB).catch(() => []);
      seen.latestJobMs = Math.max(seen.latestJobMs, job?.late ?? 0);
      await sleep(LOOKS_EVERY_MS);
    }
  })();
  return {
    async stop(): Promise<Watched> {
      isOver = true;
      await watching;
      return { ...seen, reasons: [...reasons] };
    },
  };
}

const LATEST_JOB = `
  select (extract(epoch from max(clock_timestamp() - completes_at)) * 1000)::double precision as late
  from orders where completes_at is not null`;

/** Returns how long each order took that was placed by calls which began since a number of calls, in rising order. */
export function orderTimes({ calls }: Pick<Recorder, 'calls'>, since: number): number[] {
  return calls
    .slice(since)
    .filter((call) => isOf(call, 'placeOrder') && isOk(call))
    .map(({ startedAtMs, endedAtMs }) => endedAtMs - startedAtMs)
    .sort((one, other) => one - other);
}

/** Returns from the answer of each live order to the arrival of its emails, of those that arrived since a number of messages. */
export function mailTimes({ calls, messages }: Pick<Recorder, 'calls' | 'messages'>, since: number): number[] {
  const answeredAtMs = new Map<string, number>();
  for (const call of calls) {
    if (!isOf(call, 'placeOrder') || !isOk(call) || call.environment !== 'live') continue;
    const { gifts } = call.request as { gifts: { delivery: { email?: string } }[] };
    for (const { delivery } of gifts)
      if (delivery.email !== undefined) answeredAtMs.set(delivery.email, call.endedAtMs);
  }
  return messages
    .slice(since)
    .flatMap(({ recipient, atMs }) => {
      const answered = answeredAtMs.get(recipient);
      // A redirect sends to an address that no order has.
      return answered === undefined ? [] : [Math.max(0, atMs - answered)];
    })
    .sort((one, other) => one - other);
}

/** @param times in rising order */
export const timesText = (what: string, times: readonly number[]): string =>
  times.length === 0
    ? `no ${what}`
    : `${times.length} ${what}: ${inSeconds(quantile(times, 0.5))} (median), ${inSeconds(quantile(times, 0.99))} (p99), at most ${inSeconds(times.at(-1) ?? 0)}`;

export const watchedText = ({ firstMb, mostMb, asked, ready, reasons, slowestReadyMs, latestJobMs }: Watched): string =>
  [
    `${Math.round(firstMb)} MB, at most ${Math.round(mostMb)} MB`,
    `/readyz 200 in ${ready} of ${asked} answers, at most ${inSeconds(slowestReadyMs)}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`,
    `a processing order at most ${inSeconds(latestJobMs)} late`,
  ].join('; ');

/** A press that waited too long for the lock of a gift; its page asks to press again. */
const LOCKED = 'page of status 503';

/** Reports missing answers and those of 429 and from 500 on, of calls since a number of calls, as a sentence for each. */
export function refusals({ calls }: Pick<Recorder, 'calls'>, since: number): string[] {
  return calls.slice(since).flatMap(({ operation, outcome }) => {
    if (outcome.kind === 'unknown')
      return outcome.reason === LOCKED ? [] : [`${operation} had no answer (${outcome.reason}).`];
    const isRefused = outcome.kind === 'failed' && (outcome.status === 429 || outcome.status >= 500);
    return isRefused ? [`${operation} was answered ${outcome.status} ${outcome.code}.`] : [];
  });
}

/** How often the log says that a request was refused because PostgreSQL was too slow. */
export const countStalls = (log: string): number => log.split('The database is stalled').length - 1;
