/** Rows a second that a process keeps in the long run; what was not used is kept for a burst. */
export const ENTRIES_PER_SECOND = 200;
export const MAX_ENTRIES = 1_000;

/** What an organization whose requests were all kept is sure of before one that had some left out. */
const QUIET_SHARE = 20;

interface Lane {
  errors: number;
  successes: number;
  /** Some of its requests were left out in the second before. */
  isBusy: boolean;
  hasLost: boolean;
}

interface Slot<Entry> {
  rank: number;
  lane: Lane;
  entry: Entry;
}

export interface RequestBuffer<Entry> {
  /** Keeps the entry where there is room for it; `make` is called only then. */
  offer(organizationId: string, isError: boolean, make: () => Entry): void;
  /** The entries kept since the last call, which comes every second; they leave the buffer. */
  take(): Entry[];
  /** How many were left out since the last call. */
  takeLeftOut(): number;
}

/**
 * A second's requests, of which a bounded number is kept. An entry's rank is its number among its organization's of this
 * second, errors and successes counted apart, so that the room is shared evenly and an error goes before a success of its
 * rank. A quiet organization's requests come before those of organizations that send more than fits.
 */
export function createRequestBuffer<Entry>(): RequestBuffer<Entry> {
  let slots: Slot<Entry>[] = [];
  let lanes = new Map<string, Lane>();
  let room = MAX_ENTRIES;
  let leftOut = 0;
  /** Of the slot to be given up next; looked for when the buffer is full and its slots have changed. */
  let worst: { index: number; rank: number } | undefined;

  const leaveOut = (lane: Lane) => {
    leftOut += 1;
    lane.hasLost = true;
  };

  function laneOf(organizationId: string): Lane {
    const known = lanes.get(organizationId);
    if (known !== undefined) return known;
    const lane = { errors: 0, successes: 0, isBusy: false, hasLost: false };
    lanes.set(organizationId, lane);
    return lane;
  }

  function findWorst(): { index: number; rank: number } {
    let index = 0;
    for (let other = 1; other < slots.length; other += 1)
      if ((slots[other]?.rank ?? 0) > (slots[index]?.rank ?? 0)) index = other;
    return { index, rank: slots[index]?.rank ?? 0 };
  }

  return {
    offer(organizationId, isError, make) {
      const lane = laneOf(organizationId);
      const number = isError ? lane.errors++ : lane.successes++ + 0.5;
      const rank = lane.isBusy ? number + QUIET_SHARE : number;
      if (slots.length < room) {
        slots.push({ rank, lane, entry: make() });
        return;
      }
      worst ??= findWorst();
      if (rank >= worst.rank) {
        leaveOut(lane);
        return;
      }
      const given = slots[worst.index];
      if (given !== undefined) leaveOut(given.lane);
      slots[worst.index] = { rank, lane, entry: make() };
      worst = undefined;
    },
    take() {
      const entries = slots.map(({ entry }) => entry);
      room = Math.min(MAX_ENTRIES, room - entries.length + ENTRIES_PER_SECOND);
      slots = [];
      worst = undefined;
      const busy = [...lanes].filter(([, { hasLost }]) => hasLost);
      lanes = new Map(busy.map(([id]) => [id, { errors: 0, successes: 0, isBusy: true, hasLost: false }]));
      return entries;
    },
    takeLeftOut() {
      const count = leftOut;
      leftOut = 0;
      return count;
    },
  };
}
