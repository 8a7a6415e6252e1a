import { BestowError } from '../errors.ts';
import type { Tool } from './tools.ts';

const invalid = (param: string, message: string) =>
  new BestowError('parameter_invalid', { param: param.slice(0, 100).toWellFormed(), message });

/** @throws BestowError `parameter_invalid` */
export function findTool(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  throw invalid('name', `There is no such tool. The tools are ${tools.map((one) => one.name).join(', ')}.`);
}

/** Checks the arguments' names; the operation checks their values. @throws BestowError `parameter_invalid` */
export function checkArguments(
  { inputSchema: { properties, required } }: Tool,
  given: Readonly<Record<string, unknown>>,
): void {
  const missing = required.find((param) => given[param] == null);
  if (missing !== undefined) throw invalid(missing, `${missing} is required.`);
  const unknown = Object.keys(given).find((param) => !Object.hasOwn(properties, param));
  const names = Object.keys(properties).join(', ') || 'none';
  if (unknown !== undefined) throw invalid(unknown, `There is no such argument. The arguments are ${names}.`);
}
