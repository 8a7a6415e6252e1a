import { BestowError } from '../../platform/base/errors.ts';
import type { Arguments } from './operation-request.ts';
import type { Tool } from './tool.ts';

const invalid = (param: string, message: string) =>
  new BestowError('parameter_invalid', { param: param.slice(0, 100).toWellFormed(), message });

/**
 * Checks the arguments' names, and that a list or an object stands only where one belongs; the operation checks the values.
 *
 * @throws BestowError `parameter_invalid`
 */
export function checkArguments({ inputSchema: { properties, required } }: Tool, given: Readonly<Arguments>): void {
  const missing = required.find((param) => given[param] == null);
  if (missing !== undefined) throw invalid(missing, `${missing} is required.`);
  for (const [param, value] of Object.entries(given)) {
    const names = Object.keys(properties).join(', ') || 'none';
    if (!Object.hasOwn(properties, param))
      throw invalid(param, `This argument is not known. The arguments are ${names}.`);
    const [type] = [properties[param]?.['type']].flat();
    if (typeof value === 'object' && value !== null && type !== 'array' && type !== 'object')
      throw invalid(param, `${param} must be one value, not a list or an object.`);
    if (type === 'object' && value !== null && (typeof value !== 'object' || Array.isArray(value)))
      throw invalid(param, `${param} must be an object.`);
  }
}
