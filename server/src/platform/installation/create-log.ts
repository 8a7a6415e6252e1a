import { type Logger, pino } from 'pino';
import { errorMessage } from '../base/error-code.ts';
import type { Config } from '../configuration/config.ts';

/** Blocks of this size are written off the path of a request. */
const MIN_BLOCK_BYTES = 3_500;
/** Processes that share a pipe never break each other's lines: Linux writes up to 4 KiB as a whole. */
const MAX_BLOCK_BYTES = 4_096;
const FLUSH_EVERY_MS = 1_000;
/** Some 25,000 lines; further lines are dropped, so that a full disk or a stalled reader does not fill the memory. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Makes a log of one JSON line per event, on standard output (1) or standard error (2). */
export function createLog({ logLevel, processes }: Pick<Config, 'logLevel' | 'processes'>, file: 1 | 2 = 1): Logger {
  // At a terminal, a line for each request would hide the start panel and the keys that are shown once.
  const level = logLevel ?? (process.stdout.isTTY ? 'warn' : 'info');
  const destination = openDestination(file, processes > 1);
  const log: Logger = pino({ level, base: { pid: process.pid }, serializers: { err: presentError } }, destination);
  let dropped = 0;
  destination.on('drop', () => {
    dropped += 1;
  });
  destination.on('drain', () => {
    if (dropped > 0) log.warn({ lines: dropped }, 'Dropped log lines: the destination was too slow.');
    dropped = 0;
  });
  return log;
}

function openDestination(file: 1 | 2, isShared: boolean) {
  let isExiting = false;
  let isFailing = false;
  const destination = pino.destination({
    dest: file,
    sync: false,
    minLength: MIN_BLOCK_BYTES,
    ...(isShared ? { maxWrite: MAX_BLOCK_BYTES } : {}),
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    retryEAGAIN: () => !isExiting,
  });
  // The disk is full or the reader is gone; the next line tries again.
  destination.on('error', () => {
    isFailing = true;
  });
  destination.on('write', () => {
    isFailing = false;
  });
  // Before pino's own listener, which would wait without a limit for a stalled reader or a full disk.
  process.prependOnceListener('exit', () => {
    isExiting = true;
    try {
      if (!isFailing) destination.flushSync();
    } catch {
      // The reader stalls.
    }
    destination.destroy();
  });
  return destination;
}

/** pg-boss reports copies of errors, which are no `Error`. */
const isErrorLike = (error: unknown): error is Error =>
  typeof error === 'object' && error !== null && typeof (error as Error).message === 'string';

/** Keeps name, message, code and stack. PostgreSQL's errors also have rows, and a pool's errors its connection (10 KB). */
export function presentError(error: unknown): unknown {
  if (!isErrorLike(error)) return typeof error === 'object' ? 'An error without a message.' : String(error);
  const { name, message, stack, cause, code }: Error & { code?: unknown } = error;
  return {
    name,
    message,
    code: typeof code === 'string' ? code : undefined,
    stack,
    ...(cause === undefined ? {} : { cause: errorMessage(cause) }),
  };
}
