import type { Deps } from '../../core/deps.ts';
import { errorCode } from '../../platform/base/error-code.ts';
import { within } from '../../platform/base/within.ts';
import type { Lane } from '../../platform/database/connections.ts';
import { insertRequests } from './queries.ts';
import { type RequestEntry, rowOf } from './request-row.ts';

const FLUSH_INTERVAL_MS = 1_000;
/** Masking 50 rows takes two milliseconds; other work continues before the next 50. */
const ROWS_PER_STATEMENT = 50;
const STOP_WITHIN_MS = 1_000;
/** The most entries that wait for a shard. */
const MAX_WAITING = 2_000;
const REPORT_EVERY_MS = 60_000;
/** SQLSTATE classes of rows that PostgreSQL never accepts. */
const REFUSED_ROW = /^2[23]/;
/** A minute; an unexpected error must not stop the log forever. */
const MAX_ATTEMPTS = 60;

export interface RequestBuffer<Entry> {
  /** Keeps the entry if there is room; calls `make` only then. */
  offer(make: () => Entry): void;
  /** Removes and returns the entries. Call it every second. */
  take(): Entry[];
  /** Returns how many entries were left out since the last call. */
  takeLeftOut(): number;
}

export type WriterDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'log'>;

/**
 * Writes the buffer's entries every second, those of each shard apart, so that one that is down keeps no other's back.
 *
 * @returns a function that writes the rest within a second and stops
 */
export function writeRequests(deps: WriterDeps, buffer: RequestBuffer<RequestEntry>): () => Promise<void> {
  const { clock, database, log } = deps;
  const shards = new Map<Lane, ReturnType<typeof createShardWriter>>();
  let leftOut = 0;
  let reportedAtMs = clock.now();

  function takeFromBuffer(): void {
    const taken = Map.groupBy(buffer.take(), ({ keyOwner }) => database.laneOf(keyOwner.organizationId));
    for (const [lane, entries] of taken) {
      const writer = shards.get(lane) ?? createShardWriter(lane, deps);
      shards.set(lane, writer);
      writer.add(entries);
    }
  }

  function reportLeftOut(): void {
    leftOut += buffer.takeLeftOut();
    for (const writer of shards.values()) leftOut += writer.takeLeftOut();
    if (leftOut === 0 || clock.now() - reportedAtMs < REPORT_EVERY_MS) return;
    log.info({ left_out: leftOut }, 'The request log left out requests above its limit.');
    leftOut = 0;
    reportedAtMs = clock.now();
  }

  async function flush(): Promise<void> {
    takeFromBuffer();
    await Promise.all([...shards.values()].map((writer) => writer.flush()));
    reportLeftOut();
  }

  const timer = clock.setInterval(() => void flush(), FLUSH_INTERVAL_MS);

  return async () => {
    clock.clearInterval(timer);
    await within(STOP_WITHIN_MS, flush(), () => undefined);
  };
}

/** Retries failed entries before it writes more, and keeps a bounded number while the shard is down. */
function createShardWriter({ pool }: Lane, { config, log }: WriterDeps) {
  let waiting: RequestEntry[] = [];
  let attempts = 0;
  let flushing: Promise<void> | undefined;
  let leftOut = 0;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const entries = waiting.slice(0, ROWS_PER_STATEMENT);
      try {
        const rows = entries.map((entry) => rowOf(entry, config.sandboxMailDomain));
        await insertRequests([pool], [JSON.stringify(rows)]);
      } catch (error) {
        log.warn({ err: error, requests: entries.length }, 'Requests could not be written to the request log.');
        attempts += 1;
        if (attempts < MAX_ATTEMPTS && !REFUSED_ROW.test(errorCode(error) ?? '')) return;
        leftOut += entries.length;
      }
      attempts = 0;
      waiting = waiting.slice(entries.length);
    }
  }

  return {
    add(entries: RequestEntry[]) {
      const room = Math.max(0, MAX_WAITING - waiting.length);
      waiting = waiting.concat(entries.slice(0, room));
      leftOut += Math.max(0, entries.length - room);
    },
    /** Includes entries that were added during a flush. */
    flush() {
      flushing ??= write().finally(() => {
        flushing = undefined;
      });
      return flushing;
    },
    takeLeftOut() {
      const count = leftOut;
      leftOut = 0;
      return count;
    },
  };
}
