import { type Command, Option } from 'commander';

/** A group such as `bestow org`; without a command of it, its help is shown. */
export function addGroup(parent: Command, name: string, description: string, example: string): Command {
  return withExample(parent.command(name).description(description), example);
}

/** A command with its example. Its result is a table, or JSON. */
export function addCommand(parent: Command, name: string, description: string, example: string): Command {
  const command = parent.command(name).description(description);
  return withExample(command.option('--json', 'print JSON for scripts, and nothing else'), example);
}

export function withExample(command: Command, example: string): Command {
  return command.addHelpText('after', `\nExample:\n  bestow ${example}`);
}

export const organizationOption = (): Option =>
  new Option('--org <id>', 'the organization (org_…)').makeOptionMandatory();

export const environmentOption = (): Option =>
  new Option('--environment <environment>', 'which of the two').choices(['live', 'sandbox']).makeOptionMandatory();
