import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetPeak, peakMb, processTree } from '../processor.ts';
import { findProgram } from '../programs.ts';

/** One run of a work. */
export interface Run {
  /** Until its first byte, its first line or its bar of progress. */
  firstMs: number;
  ms: number;
  /** Most memory of the process that does it. */
  peakMb: number;
}

/** Sends a request and reads its answer. @param pid of the server @throws Error if the answer is an error */
export async function timeRequest(pid: number, url: string, request: RequestInit): Promise<Run> {
  forgetPeak(pid);
  const startedAtMs = performance.now();
  const answer = await fetch(url, request);
  let firstMs: number | undefined;
  const parts: Uint8Array[] = [];
  for await (const part of answer.body ?? []) {
    firstMs ??= performance.now() - startedAtMs;
    if (!answer.ok) parts.push(part);
  }
  const ms = performance.now() - startedAtMs;
  if (!answer.ok) throw new Error(`${request.method} ${url}: ${answer.status} ${Buffer.concat(parts)}`);
  return { firstMs: firstMs ?? ms, ms, peakMb: peakMb(pid) };
}

const SAMPLE_EVERY_MS = 50;

/** Runs a program as a person does, at a terminal, so that it shows its progress. @throws Error if it is refused */
export async function timeProgram(path: string, args: readonly string[], env: Record<string, string>): Promise<Run> {
  const terminal = findProgram('script');
  const quoted = [path, ...args].map((text) => `'${text.replaceAll("'", `'\\''`)}'`).join(' ');
  const startedAtMs = performance.now();
  const child =
    terminal === undefined
      ? spawn(path, args, { env: { ...process.env, ...env } })
      : spawn(terminal, ['--quiet', '--return', '--flush', '--command', quoted, '/dev/null'], {
          env: { ...process.env, ...env },
        });
  let firstMs: number | undefined;
  let text = '';
  const hear = (part: Buffer) => {
    firstMs ??= performance.now() - startedAtMs;
    if (text.length < 2_000) text += part;
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  let [peak, code] = [0, undefined as number | null | undefined];
  child.on('close', (status) => {
    code = status;
  });
  while (code === undefined) {
    for (const pid of processTree(child.pid ?? 0).flatMap(processTree)) peak = Math.max(peak, peakMb(pid) || 0);
    await sleep(SAMPLE_EVERY_MS);
  }
  const ms = performance.now() - startedAtMs;
  // `bestow doctor` ends with 1 if it finds something.
  if (code !== 0 && !args.includes('doctor')) throw new Error(`bestow ${args.slice(1).join(' ')}: ${text}`);
  return { firstMs: firstMs ?? ms, ms, peakMb: peak };
}
