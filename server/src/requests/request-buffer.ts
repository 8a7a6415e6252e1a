/** Rows that a process keeps per second on average; a burst may use the rows that were not needed before. */
export const ENTRIES_PER_SECOND = 200;
export const MAX_ENTRIES = 1_000;

export interface RequestBuffer<Entry> {
  /** Keeps the entry if there is room; calls `make` only then. */
  offer(make: () => Entry): void;
  /** Removes and returns the entries. Call it every second. */
  take(): Entry[];
  /** Returns how many entries were left out since the last call. */
  takeLeftOut(): number;
}

/** Keeps a bounded number of a second's requests. */
export function createRequestBuffer<Entry>(): RequestBuffer<Entry> {
  let entries: Entry[] = [];
  let room = MAX_ENTRIES;
  let leftOut = 0;
  return {
    offer(make) {
      if (entries.length < room) entries.push(make());
      else leftOut += 1;
    },
    take() {
      const taken = entries;
      room = Math.min(MAX_ENTRIES, room - taken.length + ENTRIES_PER_SECOND);
      entries = [];
      return taken;
    },
    takeLeftOut() {
      const count = leftOut;
      leftOut = 0;
      return count;
    },
  };
}
