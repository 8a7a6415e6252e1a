import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TOOLS = fileURLToPath(new URL('.', import.meta.url));

/**
 * Runs a program of the tools, which are large and so are installed only when they are needed.
 *
 * @returns its exit code
 */
export function runTool(name: string, args: readonly string[]): number {
  const program = `${TOOLS}node_modules/.bin/${name}`;
  if (!existsSync(program) && spawnSync('npm', ['ci', '--prefix', TOOLS], { stdio: 'inherit' }).status !== 0)
    throw new Error('npm could not install the tools.');
  return spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' }).status ?? 1;
}
