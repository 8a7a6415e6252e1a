import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Those that this process may run on, which in a container may not be all. */
const allowed = readAllowed();
const half = Math.floor(allowed.length / 2);

/**
 * Each has half of the processors, as if on a machine of its own: clients that share the service's processors slow it by
 * asking, and what it carries would be a figure of theirs. Where there is one processor there is nothing to share out.
 * As Linux lists them: «0,1».
 */
export const processors = {
  service: (half === 0 ? allowed : allowed.slice(0, half)).join(),
  clients: allowed.slice(half).join(),
  all: allowed.join(),
};

/**
 * Keeps a process, all its threads and all that it starts from now on to these processors.
 *
 * @param pid this process where none is given
 */
export async function keepTo(list: string, pid = process.pid): Promise<void> {
  await promisify(execFile)('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(pid)]);
}

function readAllowed(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}
