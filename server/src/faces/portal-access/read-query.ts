import type { TObject } from 'typebox';
import { BestowError } from '../../platform/base/errors.ts';

interface Parameter {
  type?: string;
  anyOf?: { const?: unknown }[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
}

/**
 * Reads query parameters by their schemas. An empty parameter counts as left out, because forms send emptied fields.
 * Unknown parameters are refused, so that no filter is ignored silently.
 *
 * @throws BestowError `parameter_invalid`
 */
export function readQuery(schema: TObject | undefined, query: unknown): Record<string, unknown> {
  const parameters = (schema?.properties ?? {}) as Record<string, Parameter>;
  const values: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(query as Record<string, unknown>)) {
    if (text === '') continue;
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const value = parameter === undefined || typeof text !== 'string' ? undefined : parse(parameter, text);
    if (value === undefined)
      throw new BestowError('parameter_invalid', {
        param: name,
        message: `${name} cannot be used like this. Correct it or leave it out.`,
      });
    values[name] = value;
  }
  return values;
}

/** Returns undefined if the text is not a value of the parameter. */
function parse(schema: Parameter, text: string): string | number | undefined {
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => one.const === text) ? text : undefined;
  if (schema.type === 'integer') {
    const value = Number(text);
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
    return /^\d{1,16}$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
  }
  const isValid = text.length <= (schema.maxLength ?? 300) && !text.includes('\0');
  return isValid && (schema.pattern === undefined || new RegExp(schema.pattern).test(text)) ? text : undefined;
}
