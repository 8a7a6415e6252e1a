import { Command, CommanderError, Help } from 'commander';
import serverPackage from '../../package.json' with { type: 'json' };
import { InterruptedError, OperatorError, UsageError } from '../base/operator-error.ts';
import { BestowError } from '../errors.ts';
import { auditCommands } from './audit.ts';
import { balanceCommands } from './balance.ts';
import { orderCommands } from './cancel.ts';
import { capCommands } from './cap.ts';
import { cardCommands } from './card.ts';
import { catalogCommands } from './catalog.ts';
import { completionCommand } from './completion.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommands } from './export.ts';
import { giftCommands } from './gift.ts';
import { issuerCommands } from './issuer.ts';
import { keyCommands } from './key.ts';
import { ledgerCommands } from './ledger.ts';
import { listenCommand } from './listen.ts';
import { mcpCommand } from './mcp.ts';
import { memberCommands } from './member.ts';
import { organizationCommands } from './organization.ts';
import { outboxCommands } from './outbox.ts';
import { printRemark } from './print.ts';
import { recipientCommands } from './recipient.ts';
import { reportCommands } from './report.ts';
import { requestCommands } from './request.ts';
import { sandboxCommands } from './sandbox.ts';
import { seedCommand } from './seed.ts';
import { serverCommands } from './server.ts';
import { settingsCommands } from './settings.ts';
import { topupCommands } from './topup.ts';
import { triggerCommand } from './trigger.ts';
import { webhookCommands } from './webhook.ts';

/** Builds the `bestow` command. */
function buildProgram(isJson: boolean): Command {
  const program = new Command('bestow');
  // Its own errors are printed by `report`.
  if (isJson) program.configureOutput({ writeErr: () => undefined });
  program
    .configureHelp({ commandUsage: usageOf })
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
  settingsCommands(program);
  seedCommand(program);
  organizationCommands(program);
  memberCommands(program);
  keyCommands(program);
  webhookCommands(program);
  listenCommand(program);
  triggerCommand(program);
  mcpCommand(program);
  balanceCommands(program);
  topupCommands(program);
  capCommands(program);
  sandboxCommands(program);
  outboxCommands(program);
  ledgerCommands(program);
  catalogCommands(program);
  issuerCommands(program);
  giftCommands(program);
  orderCommands(program);
  cardCommands(program);
  recipientCommands(program);
  reportCommands(program);
  exportCommands(program);
  auditCommands(program);
  requestCommands(program);
  completionCommand(program);
  return program;
}

/** Shows the mandatory options, which `[options]` would hide. */
function usageOf(command: Command): string {
  const mandatory = command.options.filter((option) => option.mandatory).map(({ flags }) => flags);
  return new Help().commandUsage(command).replace('[options]', [...mandatory, '[options]'].join(' '));
}

/** Runs a command; returns the exit code: 0 done, 1 refused or failed, 2 wrong usage, 130 interrupted at a question. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const isJson = args.includes('--json');
  try {
    await buildProgram(isJson).parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, isJson);
  }
}

/** Prints one sentence about the error, or JSON; returns the exit code. */
function report(error: unknown, isJson: boolean): number {
  // --help is not an error.
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const { code, message, exit } = describe(error);
  if (isJson) printRemark(JSON.stringify({ error: { code, message } }));
  // Commander has already printed its message.
  else if (!(error instanceof CommanderError)) printRemark(message);
  return exit;
}

function describe(error: unknown): { code: string; message: string; exit: number } {
  if (error instanceof CommanderError)
    return { code: 'usage', message: error.message.replace(/^error: /, ''), exit: 2 };
  if (error instanceof UsageError) return { code: 'usage', message: error.message, exit: 2 };
  if (error instanceof InterruptedError) return { code: 'interrupted', message: error.message, exit: 130 };
  if (error instanceof OperatorError) return { code: 'refused', message: error.message, exit: 1 };
  if (error instanceof BestowError) return { code: error.code, message: error.message, exit: 1 };
  const message = error instanceof Error ? error.message || error.name : String(error);
  const isDebugging = process.env['LOG_LEVEL'] === 'debug' || process.env['LOG_LEVEL'] === 'trace';
  const details = isDebugging && error instanceof Error ? `\n${error.stack}` : '';
  return {
    code: 'unexpected',
    message: `Unexpected error (${message}). LOG_LEVEL=debug shows the stack.${details}`,
    exit: 1,
  };
}
