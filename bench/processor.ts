import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100;

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process ended, or /proc is not there.
    return undefined;
  }
};

/** The fields of /proc/PID/stat after the name, which may hold spaces. */
const fieldsOf = (pid: number | string) => read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');

/** A process and its children: PostgreSQL is a process for each session. */
export function processTree(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [pid, ...pids.filter((each) => fieldsOf(each)?.[1] === String(pid)).map(Number)];
}

/** Processor seconds, user and system, that a process used since it began, with those of its children that ended. */
function secondsOf(pid: number, withEnded: boolean): number {
  const fields = fieldsOf(pid) ?? [];
  const ticks = fields.slice(11, withEnded ? 15 : 13).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

export const processorSeconds = (pid: number) => secondsOf(pid, false);

export const treeProcessorSeconds = (pid: number) =>
  processTree(pid).reduce((sum, each) => sum + secondsOf(each, each === pid), 0);

export const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? Number.NaN) / 1024;

/** Proportional: a page that several processes share, such as PostgreSQL's buffers, counts once. */
export const treeMb = (pid: number) =>
  processTree(pid).reduce(
    (sum, each) => sum + Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${each}/smaps_rollup`) ?? '')?.[1] ?? 0),
    0,
  ) / 1024;
