/**
 * Calls `stop` repeatedly after the parent process has ended, also if it ended before this process could check (on Linux,
 * unless this process leads its own process group).
 *
 * @param starter the parent's process id, if it is known
 */
export function stopWithParent(stop: () => void, starter?: number): void;
