/** Thrown if the queue is full, if an item has waited for too long, or after a stall; nothing was changed for the item. */
export class QueueFull extends Error {
  constructor(message = 'The queue for the database is full, or too slow.') {
    super(message);
  }
}

interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(reason: unknown): void;
}

export interface CoalesceOptions<Item, Outcome> {
  /** Works on all items and returns their outcomes, in the same order. */
  run(items: Item[]): Promise<Outcome[]>;
  /** Most items in one run. */
  maxItems: number;
  /** Most runs at the same time. */
  maxRuns: number;
  /** Whether the error of a run would also fail the next run; then the waiting items are refused. */
  isStall?(error: unknown): boolean;
}

/** Bounds memory; the HTTP server accepts fewer requests at the same time. */
const MAX_WAITING = 10_000;

/**
 * Items that arrive during a run wait, and the next run takes all of them. A single
 * item runs at once and alone.
 */
export function coalesce<Item, Outcome>({ run, maxItems, maxRuns, isStall }: CoalesceOptions<Item, Outcome>) {
  const waiting: Waiting<Item, Outcome>[] = [];
  let runs = 0;
  let isStarting = false;

  async function runNext(): Promise<void> {
    const taken = waiting.splice(0, maxItems);
    runs += 1;
    try {
      const outcomes = await run(taken.map(({ item }) => item));
      for (const [index, { resolve }] of taken.entries()) resolve(outcomes[index] as Outcome);
    } catch (error) {
      for (const { reject } of taken) reject(error);
      if (isStall?.(error)) for (const { reject } of waiting.splice(0)) reject(new QueueFull());
    } finally {
      runs -= 1;
      start();
    }
  }

  function start(): void {
    isStarting = false;
    while (waiting.length > 0 && runs < maxRuns) void runNext();
  }

  return {
    /** @throws QueueFull, or the error of the run */
    submit(item: Item): Promise<Outcome> {
      if (waiting.length >= MAX_WAITING) return Promise.reject(new QueueFull());
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        // Requests that are read from their sockets in the same tick of the event loop go together.
        if (isStarting) return;
        isStarting = true;
        setImmediate(start);
      });
    },
  };
}
