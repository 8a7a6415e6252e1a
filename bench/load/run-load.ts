import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, runProgram } from '../programs.ts';
import { type LoadRequest, writeRequests } from './request.ts';

export interface Load {
  requests: readonly LoadRequest[];
  connections: number;
  /** A whole number. */
  seconds: number;
  /** Whether 409s may be among the answers, and are to be told apart. */
  hasConflicts?: boolean;
}

export interface LoadResult {
  /** Answers of status 200 or 201, and how many of them a second. */
  succeeded: number;
  perSecond: number;
  conflicts: number;
  /** Any other answer, and connections that broke. */
  failed: number;
  /** Of all answers. */
  p50Ms: number;
  p99Ms: number;
}

const LUA = fileURLToPath(new URL('requests.lua', import.meta.url));
const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));

export const generatorName = () => (findProgram('wrk') === undefined ? 'a Node process of our own' : 'wrk');

let runs = 0;

/** Loads the service from another process: `wrk` where it is installed, otherwise our own, which takes more processor. */
export async function runLoad(url: string, load: Load): Promise<LoadResult> {
  return withRequests(load.requests, (file) => {
    runs += 1;
    const wrk = findProgram('wrk');
    return wrk === undefined ? closedLoop(url, file, load) : wrkLoad(wrk, url, file, load);
  });
}

async function withRequests<Result>(requests: readonly LoadRequest[], act: (file: string) => Promise<Result>) {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-load-'));
  try {
    const file = join(directory, 'requests');
    await writeRequests(file, requests);
    return await act(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Names no two runs alike, so that no Idempotency-Key is sent twice. */
const runName = () => `${process.pid}-${process.hrtime.bigint()}-${runs}`;

async function wrkLoad(wrk: string, url: string, file: string, load: Load): Promise<LoadResult> {
  // Each thread takes its own part of the requests; one without any would leave its connections idle.
  const threads = Math.min(2, load.connections, load.requests.length);
  const options = ['-t', `${threads}`, '-c', `${load.connections}`, '-d', `${load.seconds}s`, '-s', LUA, url, '--'];
  const counting = load.hasConflicts ? ['count'] : [];
  const output = await runProgram(wrk, [...options, file, runName(), `${threads}`, ...counting]);
  const line = /^RESULT (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk said:\n${output}`);
  const { requests, microseconds, placed, replayed, conflicts, others, refused, broken, p50, p99 } = JSON.parse(line);
  const succeeded = load.hasConflicts ? placed + replayed : requests - refused;
  return {
    succeeded,
    perSecond: (succeeded * 1e6) / microseconds,
    conflicts,
    failed: broken + (load.hasConflicts ? others : refused),
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
  };
}

export interface OpenLoad extends Load {
  /** Requests a second, sent by the clock whether or not earlier ones were answered. */
  perSecond: number;
}

export interface Latencies {
  sent: number;
  failed: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  p999Ms: number;
}

interface GeneratorResult extends Latencies {
  statuses: Record<string, number>;
  seconds: number;
}

async function generate(url: string, file: string, load: Load & { perSecond?: number }): Promise<GeneratorResult> {
  const { connections, seconds, perSecond } = load;
  const input = { url, file, run: runName(), connections, seconds, perSecond };
  return JSON.parse(await runProgram(process.execPath, [GENERATOR, JSON.stringify(input)]));
}

async function closedLoop(url: string, file: string, load: Load): Promise<LoadResult> {
  const { statuses, seconds, sent, p50Ms, p99Ms } = await generate(url, file, load);
  const conflicts = statuses['409'] ?? 0;
  const succeeded = (statuses['200'] ?? 0) + (statuses['201'] ?? 0);
  return { succeeded, perSecond: succeeded / seconds, conflicts, failed: sent - succeeded - conflicts, p50Ms, p99Ms };
}

/** Latencies count from the time that a request was due, so that waiting behind a slow one shows in them. */
export function runOpenLoop(url: string, load: OpenLoad): Promise<Latencies> {
  return withRequests(load.requests, async (file) => {
    const { statuses: _, seconds: _s, ...latencies } = await generate(url, file, load);
    return latencies;
  });
}
