import { createInterface } from 'node:readline/promises';
import { OperatorError } from '../base/operator-error.ts';

/**
 * Asks for a yes at a terminal. A script, which has none, says so beforehand.
 *
 * @param isAgreed whether `--yes` was given
 * @throws OperatorError where the answer is anything else, or nobody can be asked
 */
export async function confirm(question: string, isAgreed: boolean): Promise<void> {
  if (isAgreed) return;
  if (!process.stdin.isTTY) throw new OperatorError('This cannot be undone. Add --yes to do it without being asked.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} This cannot be undone. Type yes to go on: `);
    if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('Nothing was changed.');
  } finally {
    terminal.close();
  }
}
