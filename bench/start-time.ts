import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

export interface StartTimes {
  /** Start on an empty data directory, with initdb. */
  firstMs: number;
  laterMs: number;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START_WITHIN_MS = 120_000;

/** Measures from `npm start` to the first answer of `/v1/health`. */
export async function measureStart(): Promise<StartTimes> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bestow-start-'));
  try {
    return { firstMs: await startOnce(dataDir), laterMs: await startOnce(dataDir) };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, DATA_DIR: dataDir, PORT: `${port}`, NODE_ENV: '', LOG_LEVEL: 'info' };
  const startedAtMs = performance.now();
  const child = spawn('npm', ['start'], { cwd: ROOT, env, stdio: 'ignore' });
  try {
    await untilHealthy(child, port, startedAtMs + START_WITHIN_MS);
    return performance.now() - startedAtMs;
  } finally {
    if (child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }
}

async function untilHealthy(child: ChildProcess, port: number, deadlineMs: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/health`).catch(() => undefined);
    if (answer?.status === 200) return;
    if (child.exitCode !== null || performance.now() > deadlineMs) throw new Error('`npm start` did not start it.');
    await sleep(5);
  }
}
