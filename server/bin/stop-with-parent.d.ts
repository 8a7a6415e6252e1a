/**
 * Calls `stop`, again and again, once the process that started this one is gone, also where it was gone before this one
 * could look (on Linux, unless this one leads a process group of its own).
 */
export function stopWithParent(stop: () => void): void;
