import { Command, CommanderError, Help } from 'commander';
import serverPackage from '../../../package.json' with { type: 'json' };
import { printRemark } from '../../faces/command-line/print.ts';
import { errorCode, errorMessage } from '../../platform/base/error-code.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { InterruptedError, OperatorError, UsageError } from '../../platform/base/operator-error.ts';

/** By the first word, in the order of the help. Loading one command instead of all takes 0.1 s instead of 0.3 s. */
const commands: Record<string, () => Promise<(program: Command) => void>> = {
  'serve worker migrate': async () => (await import('./server.ts')).serverCommands,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  settings: async () => (await import('./settings.ts')).settingsCommands,
  clock: async () => (await import('./clock.ts')).clockCommands,
  restore: async () => (await import('../../capabilities/restores/command.ts')).restoreCommands,
  seed: async () => (await import('./seed.ts')).seedCommand,
  org: async () => (await import('./organization.ts')).organizationCommands,
  operator: async () => (await import('../../capabilities/operators/command.ts')).operatorCommands,
  member: async () => (await import('./member.ts')).memberCommands,
  key: async () => (await import('./key.ts')).keyCommands,
  agent: async () => (await import('./agent.ts')).agentCommands,
  webhook: async () => (await import('../../capabilities/webhooks/command.ts')).webhookCommands,
  listen: async () => (await import('../../capabilities/webhooks/listen-command.ts')).listenCommand,
  trigger: async () => (await import('../../capabilities/webhooks/trigger-command.ts')).triggerCommand,
  mcp: async () => (await import('../../capabilities/mcp/command.ts')).mcpCommand,
  balance: async () => (await import('./balance.ts')).balanceCommands,
  topup: async () => (await import('../../capabilities/topups/command.ts')).topupCommands,
  cap: async () => (await import('./cap.ts')).capCommands,
  sandbox: async () => (await import('./sandbox.ts')).sandboxCommands,
  outbox: async () => (await import('../../capabilities/outbox/command.ts')).outboxCommands,
  ledger: async () => (await import('./ledger.ts')).ledgerCommands,
  catalog: async () => (await import('./catalog.ts')).catalogCommands,
  issuer: async () => (await import('../../capabilities/issuers/command.ts')).issuerCommands,
  gift: async () => (await import('./gift.ts')).giftCommands,
  order: async () => (await import('./cancel.ts')).orderCommands,
  card: async () => (await import('./card.ts')).cardCommands,
  recipient: async () => (await import('./recipient.ts')).recipientCommands,
  report: async () => (await import('../../capabilities/reports/command.ts')).reportCommands,
  export: async () => (await import('./export.ts')).exportCommands,
  audit: async () => (await import('./audit.ts')).auditCommands,
  request: async () => (await import('../../capabilities/request-log/command.ts')).requestCommands,
  completion: async () => (await import('./completion.ts')).completionCommand,
};

/** Builds the `bestow` command: with the commands of this word, or with all if it is not one of theirs. */
async function buildProgram(word: string, isJson: boolean): Promise<Command> {
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
  const all = Object.entries(commands);
  const named = all.filter(([words]) => words.split(' ').includes(word));
  for (const [, load] of named.length === 0 || word === 'completion' ? all : named) (await load())(program);
  refuseRepeated(program);
  return program;
}

/** Refuses a value that is given twice, of which the first would be lost, unless the help says that it may be. */
function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean() || /may be repeated|repeatable/.test(option.description)) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' is given twice`);
      isGiven = true;
    });
  }
  for (const inner of command.commands) refuseRepeated(inner);
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
    const [word = '--help'] = args;
    const program = await buildProgram(word, isJson);
    await program.parseAsync([word, ...args.slice(1)], { from: 'user' });
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
  const missing = missingPackage(error);
  if (missing !== undefined)
    return {
      code: 'refused',
      message: `The package ${missing} is not installed; run npm run setup in the checkout.`,
      exit: 1,
    };
  const message = error instanceof Error ? error.message || error.name : String(error);
  const isDebugging = process.env['LOG_LEVEL'] === 'debug' || process.env['LOG_LEVEL'] === 'trace';
  const details = isDebugging && error instanceof Error ? `\n${error.stack}` : '';
  return {
    code: 'unexpected',
    message: `Unexpected error (${message}). LOG_LEVEL=debug shows the stack.${details}`,
    exit: 1,
  };
}

/** The package of a setting that was set after the installation, such as `twilio`. */
const missingPackage = (error: unknown): string | undefined =>
  errorCode(error) === 'ERR_MODULE_NOT_FOUND'
    ? /^Cannot find package '([^']+)'/.exec(errorMessage(error))?.[1]
    : undefined;
