import { createInterface } from 'node:readline/promises';
import { OperatorError } from '../base/operator-error.ts';

/**
 * Asks for a yes at a terminal.
 *
 * @param isAgreed whether `--yes` was given
 * @throws OperatorError if the answer is not yes, or without a terminal
 */
export async function confirm(question: string, isAgreed: boolean): Promise<void> {
  if (isAgreed) return;
  if (!process.stdin.isTTY) throw new OperatorError('This cannot be undone. Add --yes to skip the question.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} This cannot be undone. Type yes to continue: `);
    if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('Nothing was changed.');
  } finally {
    terminal.close();
  }
}
