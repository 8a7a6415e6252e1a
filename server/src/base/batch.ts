/** Thrown if the queue is full or an item has waited for too long; nothing was changed for the item. */
export class QueueFull extends Error {
  constructor(message = 'The queue is full.') {
    super(message);
  }
}

interface Waiting<Item, Outcome> {
  item: Item;
  sinceMs: number;
  resolve(outcome: Outcome): void;
  reject(reason: unknown): void;
}

export interface BatchOptions<Item, Outcome> {
  /** Works on all items and returns their outcomes, in the same order. */
  run(items: Item[]): Promise<Outcome[]>;
  /** Most items in one run. */
  maxItems: number;
  /** Most runs at the same time. */
  maxRuns: number;
  /** Fewer items than this wait for the end of the current run, if it does not take unusually long. */
  worthARun?: number;
  /** An item that has waited longer is refused. */
  maxWaitMs?: number;
  /** Whether the error of a run would also fail the next run; then the waiting items are refused. */
  isStall?(error: unknown): boolean;
}

/** Bounds memory; the HTTP server accepts fewer requests at the same time. */
const MAX_WAITING = 10_000;
/** Longer than a run under load. */
const PATIENCE_MS = 50;

/** Refuses the first items as long as they were submitted before this time. */
function refuseBefore<Item, Outcome>(waiting: Waiting<Item, Outcome>[], oldestMs: number): void {
  while (waiting[0] !== undefined && waiting[0].sinceMs < oldestMs) waiting.shift()?.reject(new QueueFull());
}

/**
 * Groups work as a group commit does: items that arrive during a run wait, and the next run takes all of them. A single
 * item runs at once and alone.
 */
export function createBatcher<Item, Outcome>(options: BatchOptions<Item, Outcome>) {
  const { run, maxItems, maxRuns, worthARun = 1, maxWaitMs = Number.POSITIVE_INFINITY, isStall } = options;
  const waiting: Waiting<Item, Outcome>[] = [];
  let runs = 0;
  let latestRunAtMs = 0;
  let isStarting = false;
  let hasTimer = false;

  async function runNext(): Promise<void> {
    const batch = waiting.splice(0, maxItems);
    runs += 1;
    latestRunAtMs = performance.now();
    try {
      const outcomes = await run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      if (isStall?.(error)) refuseBefore(waiting, Number.POSITIVE_INFINITY);
    } finally {
      runs -= 1;
      start();
    }
  }

  function mayRun(): boolean {
    if (waiting.length === 0 || runs >= maxRuns) return false;
    return (
      runs === 0 || waiting.length >= Math.min(worthARun, maxItems) || performance.now() - latestRunAtMs >= PATIENCE_MS
    );
  }

  function start(): void {
    isStarting = false;
    refuseBefore(waiting, performance.now() - maxWaitMs);
    while (mayRun()) void runNext();
    if (waiting.length === 0 || hasTimer) return;
    hasTimer = true;
    setTimeout(() => {
      hasTimer = false;
      start();
    }, PATIENCE_MS).unref();
  }

  return {
    /** @throws QueueFull, or the error of the run */
    submit(item: Item): Promise<Outcome> {
      if (waiting.length >= MAX_WAITING) return Promise.reject(new QueueFull());
      return new Promise((resolve, reject) => {
        waiting.push({ item, sinceMs: performance.now(), resolve, reject });
        // Requests that are read from their sockets in the same tick of the event loop go together.
        if (isStarting) return;
        isStarting = true;
        setImmediate(start);
      });
    },
  };
}
