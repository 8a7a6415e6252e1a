import { OperatorError } from '../base/operator-error.ts';
import { printRemark } from './print.ts';

/** Far above any key. */
const MAX_BYTES = 4_096;

/**
 * A secret comes by standard input, because arguments are seen by every user of the machine and stay in the shell's
 * history.
 *
 * @param name what is asked for, where a person types
 * @throws OperatorError where nothing came, or too much
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
  if (secret === '') throw new OperatorError(`Nothing came by standard input; it must be ${name}.`);
  return secret;
}
