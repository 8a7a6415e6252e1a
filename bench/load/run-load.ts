import { fileURLToPath } from 'node:url';
import { runProgram } from '../programs.ts';
import type { GeneratorInput, GeneratorResult } from './generator.ts';
import { type LoadRequest, textOf } from './request.ts';

export interface Load {
  requests: readonly LoadRequest[];
  connections: number;
  seconds: number;
  /** Requests a second on a fixed schedule; without it, each connection sends the next request after the last answer. */
  perSecond?: number;
  lateMs?: number;
}

export interface LoadResult extends Omit<GeneratorResult, 'statuses' | 'seconds'> {
  /** 200 and 201 answers, and their rate per second. */
  succeeded: number;
  perSecond: number;
  conflicts: number;
  /** All other answers, and lost connections. */
  failed: number;
}

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));

let runs = 0;

/** Loads the service from another process. */
export async function runLoad(url: string, { requests, ...load }: Load): Promise<LoadResult> {
  runs += 1;
  // Unique per run, so that no Idempotency-Key is sent twice.
  const run = `${process.pid}-${process.hrtime.bigint()}-${runs}`;
  const input: GeneratorInput = { url, run, requests: requests.map(textOf), ...load };
  const output = await runProgram(process.execPath, [GENERATOR], JSON.stringify(input));
  const { statuses, seconds, ...result }: GeneratorResult = JSON.parse(output);
  const conflicts = statuses['409'] ?? 0;
  const succeeded = (statuses['200'] ?? 0) + (statuses['201'] ?? 0);
  return {
    ...result,
    succeeded,
    perSecond: succeeded / seconds,
    conflicts,
    failed: result.sent - succeeded - conflicts,
  };
}
