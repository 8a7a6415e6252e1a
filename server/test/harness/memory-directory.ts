import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './end-processes.ts';

/** Linux keeps its files in memory. */
const MEMORY = '/dev/shm';
/** The databases and logs of a run take up to 2 GB. */
const NEEDED_BYTES = 8 * 2 ** 30;
const PREFIX = 'bestow-tests-';

function hasRoom(): boolean {
  try {
    const [, options = 'noexec'] = / \/dev\/shm tmpfs (\S+)/.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    const [, availableKb] = /^MemAvailable: +(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
    const { bavail, bsize } = statfsSync(MEMORY);
    return (
      !options.split(',').includes('noexec') && Math.min(bavail * bsize, Number(availableKb) * 1024) > NEEDED_BYTES
    );
  } catch {
    return false;
  }
}

/** Makes a directory in memory, which is removed when this process ends; undefined if the machine has no room for it. */
export function makeMemoryDirectory(): string | undefined {
  if (!hasRoom()) return undefined;
  // Of a run that was killed.
  for (const name of readdirSync(MEMORY))
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length))))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  const directory = join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(directory, { mode: 0o755 });
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
