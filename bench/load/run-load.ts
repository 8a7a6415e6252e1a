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
  /** Whether 409 answers are possible and counted apart. */
  hasConflicts?: boolean;
}

export interface LoadResult {
  /** 200 and 201 answers, and their rate per second. */
  succeeded: number;
  perSecond: number;
  conflicts: number;
  /** All other answers, and lost connections. */
  failed: number;
  /** Latency of all answers. */
  p50Ms: number;
  p99Ms: number;
}

const LUA = fileURLToPath(new URL('requests.lua', import.meta.url));
const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));

export const generatorName = () => (findProgram('wrk') === undefined ? 'our Node generator' : 'wrk');

let runs = 0;

/** Loads the service from another process: with `wrk` if installed, else with our slower generator. */
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

/** Unique per run, so that no Idempotency-Key is sent twice. */
const runName = () => `${process.pid}-${process.hrtime.bigint()}-${runs}`;

async function wrkLoad(wrk: string, url: string, file: string, load: Load): Promise<LoadResult> {
  // Each thread needs at least one request, or its connections stay idle.
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
  /** Requests a second on a fixed schedule. */
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

/** Latency counts from the due time, so that waiting behind a slow request shows. */
export function runOpenLoop(url: string, load: OpenLoad): Promise<Latencies> {
  return withRequests(load.requests, async (file) => {
    const { statuses: _, seconds: _s, ...latencies } = await generate(url, file, load);
    return latencies;
  });
}
