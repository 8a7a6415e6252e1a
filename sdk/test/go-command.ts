import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { execute } from './installed-package.ts';

export const goModule = fileURLToPath(new URL('../go', import.meta.url));
export const goDriver = fileURLToPath(new URL('../faults/drivers/go', import.meta.url));
export const goFakeDriver = fileURLToPath(new URL('../fakes/drivers/go', import.meta.url));

const LOWEST_MINOR = 23;

/** Why the tests of the Go client cannot run on this machine; false if they can. */
export function missingGo(): string | false {
  const { stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' });
  const [, minor] = /^go1\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(minor) >= LOWEST_MINOR ? false : `There is no Go 1.${LOWEST_MINOR} or later on this machine.`;
}

/** Runs a program of Go's; nothing is downloaded unless `proxy` allows it. Returns its output, also if it is an error. */
export async function go(
  program: 'go' | 'gofmt',
  args: readonly string[],
  { cwd = goModule, proxy = 'off', ...more }: { cwd?: string; proxy?: string; [variable: string]: string } = {},
): Promise<string> {
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-buildvcs=false', GOPROXY: proxy, ...more };
  try {
    const { stdout, stderr } = await execute(program, args, { cwd, env });
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed.\n${stdout}${stderr}`, { cause: error });
  }
}
