import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 250;
/** Before anything else is loaded, which takes long enough for a parent to die. */
const parent = process.ppid;

/** @type {import('./stop-with-parent.d.ts').stopWithParent} */
export function stopWithParent(stop) {
  const isAdopted = parent === 1 && !isChildOfInit();
  setInterval(() => {
    if (isAdopted || process.ppid !== parent) stop();
  }, LOOK_EVERY_MS).unref();
}

/**
 * Process 1 adopts orphans. A child that it starts itself, as in a container, leads a process group or stays in the first
 * one; an orphan is in the group of its former parent. Without /proc the answer is unknown.
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
 * The name before it may hold anything, also brackets.
 *
 * @param {string} pid
 */
const groupOf = (pid) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')[2]);
