import { createInterface } from 'node:readline/promises';
import { InterruptedError, OperatorError } from '../../platform/base/operator-error.ts';
import { printable } from '../../platform/base/printable.ts';

/** Asks a question at a terminal. Without a terminal, the answer is yes. */
export async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return true;
  const answer = await ask(`${question} Type no to decline, or press Enter to continue: `);
  return !['n', 'no'].includes(answer.toLowerCase());
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<never>((_, reject) => {
      // A rejection of `question` comes first after Ctrl-C, and none after an end of the input.
      terminal.once('close', () => setImmediate(reject, new InterruptedError('Nothing was changed.')));
    });
    return (await Promise.race([terminal.question(printable(question)), ended])).trim();
  } catch {
    process.stderr.write('\n');
    throw new InterruptedError('Nothing was changed.');
  } finally {
    terminal.close();
  }
}

/**
 * Asks for a yes at a terminal, or for a name: it shows that the operator means this one.
 *
 * @param isAgreed whether `--yes` was given
 * @throws OperatorError if the answer is not the name or yes, or without a terminal
 */
export async function confirm(question: string, isAgreed: boolean, name = 'yes'): Promise<void> {
  if (isAgreed) return;
  if (!process.stdin.isTTY) throw new OperatorError(`${question} Add --yes to skip the question.`);
  const answer = await ask(`${question} Type ${name} to continue: `);
  if (answer !== name && (name !== 'yes' || answer.toLowerCase() !== 'yes'))
    throw new OperatorError('Nothing was changed.');
}

/** Ends a question about something that cannot be undone. */
export const FOR_EVER = 'This cannot be undone.';
