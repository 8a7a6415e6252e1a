/**
 * Calls `stop` repeatedly after the parent process has ended, also if it ended before this process could check (on Linux,
 * unless this process leads its own process group).
 */
export function stopWithParent(stop: () => void): void;
