import { Argument, type Command, type CommandOptions, Option } from 'commander';
import { confirmFirst, type Question } from './confirm.ts';
import { parseLimit } from './parse-argument.ts';

/** Adds a group such as `bestow org`, which shows its help if called without a command. */
export function addGroup(parent: Command, name: string, description: string, example: string): Command {
  return withExample(parent.command(name).description(description), example);
}

interface CommandDefinition extends CommandOptions {
  /** Of a command that takes something away: it asks first, or takes `--yes`. */
  confirms?: Question;
}

/** Adds a command with an example and `--json`. */
export function addCommand(
  parent: Command,
  name: string,
  description: string,
  example: string,
  { confirms, ...options }: CommandDefinition = {},
): Command {
  const command = parent.command(name, options).description(description);
  if (confirms !== undefined) confirmFirst(command, confirms);
  return withExample(command.option('--json', 'print only JSON, for scripts'), example);
}

export function withExample(command: Command, example: string): Command {
  return command.addHelpText('after', `\nExample:\n  bestow ${example}`);
}

/** What `identifyOrganization` takes. */
const WAYS = 'its id, a part of the id, or its name';

/** @param which which organizations are meant */
export const organizationOption = (which = 'the organization, if there are several'): Option =>
  new Option('--org <organization>', `${which}: ${WAYS}`);

export const organizationArgument = (): Argument => new Argument('<organization>', WAYS);

export const environmentOption = (): Option =>
  new Option('--environment <environment>', 'live or sandbox').choices(['live', 'sandbox']).makeOptionMandatory();

export const limitOption = (): Option =>
  new Option('--limit <number>', 'maximum number').argParser(parseLimit).default(20);
