import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Linux reports processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process ended, or there is no /proc.
    return undefined;
  }
};

/** Fields of /proc/PID/stat after the name; the name may hold spaces. */
const fieldsOf = (pid: number | string) => read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');

/** Lists a process and its children: PostgreSQL has a process per session. */
export function processTree(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [pid, ...pids.filter((each) => fieldsOf(each)?.[1] === String(pid)).map(Number)];
}

/** Processor seconds of a process since its start, with its ended children. */
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

/** Most memory of a process since its start, or since `forgetPeak`. */
export const peakMb = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? Number.NaN) / 1024;

export const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Proportional set size: a page that processes share counts once. */
export const treeMb = (pid: number) =>
  processTree(pid).reduce(
    (sum, each) => sum + Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${each}/smaps_rollup`) ?? '')?.[1] ?? 0),
    0,
  ) / 1024;
