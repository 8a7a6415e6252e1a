import type { Deps } from '../../core/deps.ts';
import { errorCode } from '../../platform/base/error-code.ts';
import { within } from '../../platform/base/within.ts';
import { insertRequests } from './queries.ts';
import { type RequestEntry, rowOf } from './request-row.ts';

const FLUSH_INTERVAL_MS = 1_000;
/** Masking 50 rows takes two milliseconds; other work continues before the next 50. */
const ROWS_PER_STATEMENT = 50;
const STOP_WITHIN_MS = 1_000;
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
 * Writes the buffer's entries every second. Retries failed entries before it takes more, so that memory stays bounded
 * while the database is down.
 *
 * @returns a function that writes the rest within a second and stops
 */
export function writeRequests(
  { clock, config, database, log }: WriterDeps,
  buffer: RequestBuffer<RequestEntry>,
): () => Promise<void> {
  let waiting: RequestEntry[] = [];
  let attempts = 0;
  let flushing: Promise<void> | undefined;
  let leftOut = 0;
  let reportedAtMs = clock.now();

  async function write(): Promise<void> {
    if (waiting.length === 0) waiting = buffer.take();
    while (waiting.length > 0) {
      const entries = waiting.slice(0, ROWS_PER_STATEMENT);
      try {
        const rows = entries.map((entry) => rowOf(entry, config.sandboxMailDomain));
        await insertRequests(database.shards, [JSON.stringify(rows)]);
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

  function reportLeftOut(): void {
    leftOut += buffer.takeLeftOut();
    if (leftOut === 0 || clock.now() - reportedAtMs < REPORT_EVERY_MS) return;
    log.info({ left_out: leftOut }, 'The request log left out requests above its limit.');
    leftOut = 0;
    reportedAtMs = clock.now();
  }

  function flush(): Promise<void> {
    flushing ??= write().finally(() => {
      flushing = undefined;
      reportLeftOut();
    });
    return flushing;
  }

  const timer = clock.setInterval(() => void flush(), FLUSH_INTERVAL_MS);

  return async () => {
    clock.clearInterval(timer);
    const flushed = (async () => {
      // The current flush may have begun before the latest requests.
      await flushing;
      await flush();
    })();
    await within(STOP_WITHIN_MS, flushed, () => undefined);
  };
}
