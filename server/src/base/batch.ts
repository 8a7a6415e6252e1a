/**
 * Thrown where the queue before a batch is full, or an item waited too long in it: the caller is told to come back, so
 * that memory and waiting stay bounded. The item was not worked on.
 */
export class QueueFull extends Error {
  constructor() {
    super('The queue is full.');
  }
}

/** Thrown where an item that changes nothing was worked on and not answered in time. */
export class WaitedTooLong extends Error {
  constructor() {
    super('There was no answer in time.');
  }
}

interface Waiting<Item, Outcome> {
  item: Item;
  sinceMs: number;
  timer: NodeJS.Timeout | undefined;
  resolve(outcome: Outcome): void;
  reject(reason: unknown): void;
}

/** Longer than a run under load: whatever holds one up must not hold up those that have nothing to do with it. */
const PATIENCE_MS = 50;

export interface BatchOptions<Item, Outcome> {
  /** Does the work of all items at once and answers each, in their order. */
  run(items: Item[]): Promise<Outcome[]>;
  /** Most items in one run. */
  maxItems: number;
  /** Most runs at the same time. */
  maxRuns: number;
  /**
   * Most where each further one is full: a busy process reads late that a run has ended, so it must have more under way. As
   * many as `maxRuns` unless told otherwise.
   */
  maxFullRuns?: number;
  /**
   * Items for which a run beside another is worth its cost; fewer wait for the end of the one under way, unless that takes
   * unusually long.
   */
  worthARun?: number;
  /** Most items waiting for a run. */
  maxWaiting: number;
  /** An item that has waited longer is refused instead of run. */
  maxWaitMs?: number;
  /** Whether what made a run fail holds up every other too: then those that wait are refused, and not run in turn. */
  isStall?(error: unknown): boolean;
  /** An item that has no outcome by then is given up; only for what changes nothing. */
  answerWithinMs?: number;
}

/**
 * Group commit: while a run is under way, what arrives waits, and the next run takes all of it. Under no load an item
 * runs at once and alone; under load the runs grow, so that the cost of a commit is shared.
 */
export function createBatcher<Item, Outcome>(options: BatchOptions<Item, Outcome>) {
  const waiting: Waiting<Item, Outcome>[] = [];
  const { answerWithinMs } = options;
  const { maxItems, maxRuns, maxFullRuns = maxRuns } = options;
  const worthARun = Math.min(options.worthARun ?? 1, maxItems);
  let runs = 0;
  let isStarting = false;
  let latestRunAtMs = 0;
  let isWaitingForRun = false;

  async function runNext(): Promise<void> {
    const batch = waiting.splice(0, maxItems);
    runs += 1;
    latestRunAtMs = performance.now();
    try {
      const outcomes = await options.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as Outcome);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
      if (options.isStall?.(error)) for (const { reject } of waiting.splice(0)) reject(new QueueFull());
    } finally {
      for (const { timer } of batch) clearTimeout(timer);
      runs -= 1;
      start();
    }
  }

  /** How many items a run needs now. */
  function leastItems(): number {
    if (runs >= maxRuns) return runs < maxFullRuns ? maxItems : Number.POSITIVE_INFINITY;
    return runs === 0 || performance.now() - latestRunAtMs >= PATIENCE_MS ? 1 : worthARun;
  }

  function refuseStale(): void {
    const oldestMs = performance.now() - (options.maxWaitMs ?? Number.POSITIVE_INFINITY);
    for (let first = waiting[0]; first !== undefined && first.sinceMs < oldestMs; first = waiting[0]) {
      waiting.shift();
      clearTimeout(first.timer);
      first.reject(new QueueFull());
    }
  }

  function giveUp(entry: Waiting<Item, Outcome>): void {
    const index = waiting.indexOf(entry);
    if (index !== -1) waiting.splice(index, 1);
    entry.reject(index === -1 ? new WaitedTooLong() : new QueueFull());
  }

  function start(): void {
    isStarting = false;
    refuseStale();
    while (waiting.length > 0 && waiting.length >= leastItems()) void runNext();
    if (waiting.length === 0 || isWaitingForRun) return;
    isWaitingForRun = true;
    const lookAgain = () => {
      isWaitingForRun = false;
      start();
    };
    setTimeout(lookAgain, PATIENCE_MS).unref();
  }

  return {
    submit(item: Item): Promise<Outcome> {
      if (waiting.length >= options.maxWaiting) return Promise.reject(new QueueFull());
      return new Promise((resolve, reject) => {
        const entry: Waiting<Item, Outcome> = { item, sinceMs: performance.now(), timer: undefined, resolve, reject };
        // An answer that arrived while the process was held up is read first.
        if (answerWithinMs !== undefined) entry.timer = setTimeout(setImmediate, answerWithinMs, giveUp, entry);
        waiting.push(entry);
        // Requests that are read from their sockets in the same turn of the event loop go together.
        if (isStarting) return;
        isStarting = true;
        setImmediate(start);
      });
    },
  };
}
