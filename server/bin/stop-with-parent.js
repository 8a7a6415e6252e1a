import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 250;
/** Read before other modules load, because the parent may die in that time. */
const parent = process.ppid;

/** @type {import('./stop-with-parent.d.ts').stopWithParent} */
export function stopWithParent(stop, starter) {
  const isAdopted = starter === undefined && parent === 1 && !isChildOfInit();
  setInterval(() => {
    if (isAdopted || process.ppid !== (starter ?? parent)) stop();
  }, LOOK_EVERY_MS).unref();
}

/**
 * Whether process 1 started this process, as in a container, and did not adopt it as an orphan. A child leads its own
 * process group or is in the group of process 1; an orphan is in the group of its former parent. True without /proc.
 */
function isChildOfInit() {
  try {
    const group = groupOf('self');
    return group === process.pid || group === groupOf('1');
  } catch {
    return true;
  }
}

/**
 * The process's name comes before the group and may contain brackets.
 *
 * @param {string} pid
 */
const groupOf = (pid) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')[2]);
