import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { stop } from '../installation.ts';

const PROGRAM = fileURLToPath(new URL('fastify-route.ts', import.meta.url));

/** Runs Fastify with bare routes in another process during the act. */
export async function withBareRoute<Result>(act: (url: string) => Promise<Result>): Promise<Result> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [address] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    return await act(address.trim());
  } finally {
    await stop(child);
  }
}
