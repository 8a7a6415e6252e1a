import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { InterruptedError, OperatorError } from '../../platform/base/operator-error.ts';
import { printable } from '../../platform/base/printable.ts';
import { type CommandDeps, withDatabase } from './with-database.ts';

/**
 * Asks before a command takes something away, and names it: `Revoke the live key …? Programs that use it are refused at
 * once.` Gets what the command's action gets; undefined if this call takes nothing away.
 */
export type Question = (deps: CommandDeps, ...args: never[]) => Promise<string | undefined>;

/** Ends a question about something that cannot be undone. */
export const FOR_EVER = 'This cannot be undone.';

/** Makes a command ask its question at a terminal, and take `--yes` instead. Without both it is refused. */
export function confirmFirst(command: Command, question: Question): void {
  command.option('--yes', 'do not ask, for scripts').hook('preAction', async () => {
    const options = command.opts();
    if (options['yes'] === true) return;
    const args = [...command.processedArgs, options] as never[];
    const asked = await withDatabase((deps) => question(deps, ...args));
    if (asked !== undefined) await confirm(asked);
  });
}

/** @throws OperatorError if the answer is not yes, or without a terminal; InterruptedError after Ctrl-C */
async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new OperatorError(`${question} Nothing was changed; add --yes to skip the question.`);
  if (!/^y(?:es)?$/i.test(await ask(`${question} [y/N] `))) throw new OperatorError('Nothing was changed.');
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
