const changes: string[] = [];

/** Notes what root made or changed on the machine, for the person who started Bestow. */
export function noteChange(change: string): void {
  changes.push(change);
}

/** What this process made and changed as root, in order; empty for another user. */
export const changesOfRoot = (): readonly string[] => changes;
