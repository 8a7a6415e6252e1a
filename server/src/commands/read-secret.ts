import { OperatorError } from '../base/operator-error.ts';
import { printRemark } from './print.ts';

/** Longer than any key. */
const MAX_BYTES = 4_096;

/**
 * Reads a secret from standard input, because other users and the shell's history can see arguments.
 *
 * @param name shown in the prompt
 * @throws OperatorError if the input is empty or too long
 */
export async function readSecret(name: string): Promise<string> {
  if (process.stdin.isTTY) printRemark(`Paste ${name}, then press Enter and Ctrl-D.`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw new OperatorError(`Standard input is too long for ${name}.`);
    chunks.push(chunk as Buffer);
  }
  const secret = Buffer.concat(chunks).toString('utf8').trim();
  if (secret === '') throw new OperatorError(`Standard input is empty; it must be ${name}.`);
  return secret;
}
