import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The variables that name a process's directory: a server's data, or an ephemeral server's temporary files. */
const DIRECTORY_VARIABLES = ['DATA_DIR', 'TMPDIR'];

/** The processes on this directory: by their environment, or, for PostgreSQL, by their working directory. */
export function processesOn(directory: string): number[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const variables = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      const isOn =
        DIRECTORY_VARIABLES.some((variable) => variables.includes(`${variable}=${directory}`)) ||
        `${readlinkSync(`/proc/${name}/cwd`)}/`.startsWith(`${directory}/`);
      return isOn ? [Number(name)] : [];
    } catch {
      // The process ended, or belongs to another user.
      return [];
    }
  });
}

/** False for a process that has ended, even if its parent has not asked for its exit code. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Kills a process, or with a negative number its group. @returns false if it has ended */
export function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Kills every process on the directory, also those that they start again in the meantime; returns their number. */
export async function killProcessesOn(directory: string): Promise<number> {
  const killed = new Set<number>();
  for (let left = processesOn(directory); left.length > 0; left = processesOn(directory)) {
    for (const pid of left) {
      kill(pid);
      killed.add(pid);
    }
    await sleep(10);
  }
  return killed.size;
}
