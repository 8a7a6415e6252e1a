import { type Logger, pino } from 'pino';
import { errorCode, errorMessage } from '../base/error-code.ts';
import type { Config } from '../config.ts';
import { openLogFile } from './log-file.ts';

/** JSON, one line an event, on standard output, or where that is somebody's input on standard error. */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, file: 1 | 2 = 1): Logger {
  // At a terminal a line for each request would bury what the person is to read, such as keys that are shown once.
  const level = logLevel ?? (process.stdout.isTTY ? 'warn' : 'info');
  const options = { level, base: { pid: process.pid }, serializers: { err: presentError } };
  const log: Logger = pino(
    options,
    openLogFile(file, (lines) =>
      log.warn({ lines }, 'Lines of the log are missing: they could not be written in time.'),
    ),
  );
  return log;
}

/** What went wrong and where. PostgreSQL's errors also carry rows, and those of a pool its whole connection (10 KB). */
export function presentError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    code: errorCode(error),
    stack,
    ...(cause === undefined ? {} : { cause: errorMessage(cause) }),
  };
}
