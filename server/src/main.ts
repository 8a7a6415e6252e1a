import { Command, CommanderError } from 'commander';
import serverPackage from '../package.json' with { type: 'json' };
import { OperatorError } from './base/operator-error.ts';
import { auditCommands } from './commands/audit.ts';
import { balanceCommands } from './commands/balance.ts';
import { cardCommands } from './commands/card.ts';
import { catalogCommands } from './commands/catalog.ts';
import { doctorCommand } from './commands/doctor.ts';
import { keyCommands } from './commands/key.ts';
import { ledgerCommands } from './commands/ledger.ts';
import { memberCommands } from './commands/member.ts';
import { organizationCommands } from './commands/organization.ts';
import { outboxCommands } from './commands/outbox.ts';
import { recipientCommands } from './commands/recipient.ts';
import { sandboxCommands } from './commands/sandbox.ts';
import { seedCommand } from './commands/seed.ts';
import { serverCommands } from './commands/server.ts';
import { BestowError } from './errors.ts';

/** The `bestow` command. Exit codes: 0 done, 1 refused or failed (one sentence on standard error), 2 wrong usage. */
function buildProgram(): Command {
  const program = new Command('bestow');
  program
    .description('Bestow, a gift ordering service: the operator’s command.')
    .version(serverPackage.version, '-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('Add --help to see how it is used.')
    .addHelpText(
      'after',
      '\nThe database is the embedded one in DATA_DIR, or that of DATABASE_URL.\n\nExample:\n  bestow serve',
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

/** @returns the exit code */
function report(error: unknown): number {
  // Commander has printed its message already; asking for help is no error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OperatorError || error instanceof BestowError) {
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  const message = error instanceof Error ? error.message || error.name : String(error);
  const isDebugging = process.env['LOG_LEVEL'] === 'debug' || process.env['LOG_LEVEL'] === 'trace';
  const details = isDebugging && error instanceof Error ? `\n${error.stack}` : '';
  process.stderr.write(`Something unexpected failed (${message}); LOG_LEVEL=debug shows where.${details}\n`);
  return 1;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads the output may stop early, as `head` does.
  if (error.code === 'EPIPE') return;
  process.stderr.write(`The result cannot be written to standard output (${error.code}); what it tells was done.\n`);
  process.exit(1);
});

try {
  await buildProgram().parseAsync();
} catch (error) {
  // Not only the code: a server that failed half-way may hold something open.
  process.exit(report(error));
}
