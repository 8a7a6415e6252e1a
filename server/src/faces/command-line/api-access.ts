import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { readConfig } from '../../platform/configuration/config.ts';
import { addressOfServer } from '../../platform/configuration/server-address.ts';
import { readSecret } from './read-secret.ts';

/** For commands that use `/v1` with an API key, also of another machine. */
export const withApiAccess = (command: Command): Command =>
  command.option('--url <address>', 'the Bestow to use; by default the one of these settings', parseHttpAddress);

/** Reads the key from BESTOW_KEY or standard input. @throws OperatorError */
export async function readApiAccess(url: string | undefined): Promise<{ from: string; key: string }> {
  const key = process.env['BESTOW_KEY']?.trim() ?? (await readSecret('the API key'));
  return { from: url ?? addressOfServer(readConfig(process.env)), key };
}

/**
 * Reads the key from BESTOW_KEY only, for a command whose standard input belongs to another program.
 *
 * @throws OperatorError
 */
export function readAgentAccess(url: string | undefined): { from: string; key: string } {
  const { BESTOW_KEY: key = '', BESTOW_URL: from } = process.env;
  if (key.trim() === '') throw new OperatorError('Set BESTOW_KEY to an API key: standard input belongs to the agent.');
  return { from: url ?? from ?? addressOfServer(readConfig(process.env)), key: key.trim() };
}

export function parseHttpAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('It must start with http:// or https://.');
  return text;
}
