import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { presentError } from '../../src/platform/installation/create-log.ts';

/** The directory for the logs of a test run; `run.ts` searches them at the end. */
export const LOG_DIRECTORY_VARIABLE = 'TEST_LOG_DIRECTORY';

/** Creates a test's log, in the run's directory or, with TEST_LOG_LEVEL, on standard output. */
export function createTestLog(): Logger {
  const level = process.env['TEST_LOG_LEVEL'];
  const directory = process.env[LOG_DIRECTORY_VARIABLE];
  const options = { serializers: { err: presentError } };
  if (level !== undefined) return pino({ ...options, level });
  if (directory === undefined) return pino({ level: 'silent' });
  const dest = join(directory, `${process.pid}.log`);
  return pino({ ...options, level: 'info' }, pino.destination({ dest, sync: false, minLength: 4096 }));
}

/** Patterns that no log line may match. */
const secrets: Record<string, RegExp> = {
  // A path such as `node_modules/.pnpm/pg@8.23.1` has digits instead of a domain.
  'an email address': /[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}\b/i,
  'a phone number': /(?<![\w.:-])\+[1-9]\d{7,14}\b/,
  'an API key': /\bbestow-(?:agent-)?(?:sandbox-)?[0-9A-Za-z]{38,50}\b|\bsk_[!-~]{8,}|\b(?:TEST|PROD)_key[!-~]{4,}/,
  'a link': /\/(?:g|payout)\/[\w-]{16,}/,
  'a session': /\b(?:__Host-|__Secure-)?[\w.-]*session_token=/i,
  'an authorization header': /\b(?:Bearer|Basic) [\w.~+/=-]{8,}/,
};

/** Returns the kinds of secrets in this text, each with its line. */
export const findSecrets = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line) =>
      Object.entries(secrets).flatMap(([kind, pattern]) => (pattern.test(line) ? [`${kind}: ${line}`] : [])),
    );

/** @returns the number of log lines, and the lines that hold a secret */
export function searchLogs(directory: string): { lines: number; found: string[] } {
  const texts = globSync(join(directory, '*.log')).map((path) => readFileSync(path, 'utf8'));
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  return { lines, found: texts.flatMap(findSecrets) };
}
