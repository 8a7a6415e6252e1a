import { InterruptedError, OperatorError } from '../../platform/base/operator-error.ts';
import { printRemark } from './print.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
/** Longer than any key. */
const MAX_BYTES = 4_096;

/**
 * Reads a secret from standard input, because other users and the shell's history can see arguments.
 *
 * @param name shown in the prompt
 * @throws OperatorError if the input is empty or too long
 */
export async function readSecret(name: string): Promise<string> {
  if (process.stdin.isTTY) return checkSecret(name, await readHidden(name));
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) throw new OperatorError(`Standard input is too long for ${name}.`);
    chunks.push(chunk as Buffer);
  }
  return checkSecret(name, Buffer.concat(chunks).toString('utf8'));
}

/** Reads a line at a terminal without showing it. */
async function readHidden(name: string): Promise<string> {
  printRemark(`Paste ${name}; it is not shown. Then press Enter.`);
  const { stdin } = process;
  stdin.setRawMode?.(true);
  let text = '';
  try {
    for await (const chunk of stdin) {
      text += (chunk as Buffer).toString('utf8');
      if (text.length > MAX_BYTES) throw new OperatorError(`Standard input is too long for ${name}.`);
      if (text.includes(CTRL_C) || text.includes(CTRL_D)) throw new InterruptedError('Nothing was changed.');
      if (/[\r\n]/.test(text)) break;
    }
  } finally {
    stdin.setRawMode?.(false);
  }
  return text;
}

function checkSecret(name: string, text: string): string {
  const secret = text.trim();
  if (secret === '') throw new OperatorError(`Standard input is empty; it must be ${name}.`);
  return secret;
}
