import { Command, CommanderError } from 'commander';
import serverPackage from '../../package.json' with { type: 'json' };
import { OperatorError } from '../base/operator-error.ts';
import { BestowError } from '../errors.ts';
import { auditCommands } from './audit.ts';
import { balanceCommands } from './balance.ts';
import { cardCommands } from './card.ts';
import { catalogCommands } from './catalog.ts';
import { doctorCommand } from './doctor.ts';
import { keyCommands } from './key.ts';
import { ledgerCommands } from './ledger.ts';
import { memberCommands } from './member.ts';
import { organizationCommands } from './organization.ts';
import { outboxCommands } from './outbox.ts';
import { recipientCommands } from './recipient.ts';
import { sandboxCommands } from './sandbox.ts';
import { seedCommand } from './seed.ts';
import { serverCommands } from './server.ts';

/** Builds the `bestow` command. */
function buildProgram(): Command {
  const program = new Command('bestow');
  program
    .description('Bestow, a gift ordering service: the operator’s command.')
    .version(serverPackage.version, '-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('Add --help to see the usage.')
    .addHelpText(
      'after',
      '\nCommands use the embedded database in DATA_DIR, or DATABASE_URL.\n\nExample:\n  bestow serve',
    );
  serverCommands(program);
  doctorCommand(program);
  seedCommand(program);
  organizationCommands(program);
  memberCommands(program);
  keyCommands(program);
  balanceCommands(program);
  sandboxCommands(program);
  outboxCommands(program);
  ledgerCommands(program);
  catalogCommands(program);
  cardCommands(program);
  recipientCommands(program);
  auditCommands(program);
  return program;
}

/** Runs a command; returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runProgram(args: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

/** Prints one sentence about the error; returns the exit code. */
function report(error: unknown): number {
  // Commander has already printed its message; --help is not an error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OperatorError || error instanceof BestowError) {
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  const message = error instanceof Error ? error.message || error.name : String(error);
  const isDebugging = process.env['LOG_LEVEL'] === 'debug' || process.env['LOG_LEVEL'] === 'trace';
  const details = isDebugging && error instanceof Error ? `\n${error.stack}` : '';
  process.stderr.write(`Unexpected error (${message}). LOG_LEVEL=debug shows the stack.${details}\n`);
  return 1;
}
