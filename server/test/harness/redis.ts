import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { programPath } from './debian-programs.ts';
import { endWithTest } from './end-with-test.ts';

/** A Redis server for one test, in memory. */
export interface TestRedis {
  url: string;
  /** Ends it at once; `start` starts an empty one at the same address. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the process with its connections open, or continues it. */
  freeze(isFrozen: boolean): void;
}

export async function startRedis(): Promise<TestRedis> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const bound = holder.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  await new Promise((resolve) => holder.close(resolve));
  let child: ChildProcess | undefined;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      const started = spawn(programPath('redis'), settings, { stdio: ['ignore', 'pipe', 'inherit'] });
      child = started;
      for await (const text of started.stdout) if (String(text).includes('Ready to accept connections')) break;
    },
    async kill() {
      if (child === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      child = undefined;
      await ended;
    },
    freeze: (isFrozen) => void child?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
  };
  endWithTest(() => redis.kill());
  await redis.start();
  return redis;
}
