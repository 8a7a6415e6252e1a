import { errorCode } from '../base/error-code.ts';
import { within } from '../base/within.ts';
import type { Deps } from '../deps.ts';
import { insertRequests } from './queries.ts';
import type { RequestBuffer } from './request-buffer.ts';
import { type RequestEntry, rowOf } from './request-entry.ts';

const FLUSH_INTERVAL_MS = 1_000;
/** Masking this many takes some two milliseconds; other work goes on before the next ones. */
const ROWS_PER_STATEMENT = 50;
const STOP_WITHIN_MS = 1_000;
const SAY_EVERY_MS = 60_000;
/** SQLSTATE classes of a row that PostgreSQL will never take. */
const REFUSED_ROW = /^2[23]/;
/** A minute; an error that nobody thought of must not end the log for ever. */
const MAX_TRIES = 60;

export type WriterDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'log'>;

/**
 * Writes what the buffer holds every second, in the background. What could not be written is tried again before anything
 * else is taken, so that memory stays bounded while the database is away.
 *
 * @returns ends that, after writing what is there within a second
 */
export function writeRequests(
  { clock, config, database, log }: WriterDeps,
  buffer: RequestBuffer<RequestEntry>,
): () => Promise<void> {
  let waiting: RequestEntry[] = [];
  let tries = 0;
  let flushing: Promise<void> | undefined;
  let leftOut = 0;
  let saidAtMs = clock.now();

  async function write(): Promise<void> {
    if (waiting.length === 0) waiting = buffer.take();
    while (waiting.length > 0) {
      const entries = waiting.slice(0, ROWS_PER_STATEMENT);
      try {
        const rows = entries.map((entry) => rowOf(entry, config.sandboxMailDomain));
        await insertRequests(database.pool, [JSON.stringify(rows)]);
      } catch (error) {
        log.warn({ err: error, requests: entries.length }, 'Requests could not be written to the request log.');
        tries += 1;
        if (tries < MAX_TRIES && !REFUSED_ROW.test(errorCode(error) ?? '')) return;
        leftOut += entries.length;
      }
      tries = 0;
      waiting = waiting.slice(entries.length);
    }
  }

  function sayLeftOut(): void {
    leftOut += buffer.takeLeftOut();
    if (leftOut === 0 || clock.now() - saidAtMs < SAY_EVERY_MS) return;
    log.info({ left_out: leftOut }, 'Not all requests are in the request log: more came than it takes.');
    leftOut = 0;
    saidAtMs = clock.now();
  }

  function flush(): Promise<void> {
    flushing ??= write().finally(() => {
      flushing = undefined;
      sayLeftOut();
    });
    return flushing;
  }

  const timer = clock.setInterval(() => void flush(), FLUSH_INTERVAL_MS);

  return async () => {
    clock.clearInterval(timer);
    const flushed = (async () => {
      // A flush under way began before the latest requests were noted.
      await flushing;
      await flush();
    })();
    await within(STOP_WITHIN_MS, flushed, () => undefined);
  };
}
