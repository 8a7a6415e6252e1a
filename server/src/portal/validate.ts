import type { FastifyRequest } from 'fastify';
import { createBodyValidators } from '../api/validate.ts';
import { PortalError } from './portal-error.ts';
import { type PortalRoute, pathSchemas } from './route.ts';

interface Parameter {
  type?: string;
  enum?: unknown[];
  anyOf?: { const?: unknown }[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
}

interface Validated {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

const bodyValidator = createBodyValidators([]);

/** Fields that an object's schema does not name are refused, as in the query. */
const closed = (body: object): object => ('properties' in body ? { additionalProperties: false, ...body } : body);

/**
 * Reads a request by its route's schemas. A parameter of the query that is empty counts as left out, because that is what
 * an emptied field of a form sends; one that is not known is refused, so that no filter is dropped in silence.
 *
 * @throws PortalError `not_found` (path), `parameter_invalid`; BestowError `parameter_invalid` (body)
 */
export function createValidator(route: PortalRoute): (request: FastifyRequest) => Validated {
  const validateBody = bodyValidator(closed(route.body ?? {}));
  const parameters = (route.query?.properties ?? {}) as Record<string, Parameter>;
  return ({ params, query, body }) => {
    const path = params as Record<string, string>;
    for (const [name, schema] of Object.entries(pathSchemas))
      if (path[name] !== undefined && parse(schema as Parameter, path[name]) === undefined)
        throw new PortalError('not_found');
    const error = route.body === undefined ? undefined : validateBody(body);
    if (error !== undefined) throw error;
    return { params: path, query: readQuery(parameters, query as Record<string, unknown>), body };
  };
}

function readQuery(parameters: Record<string, Parameter>, query: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(query)) {
    if (text === '') continue;
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const value = parameter === undefined || typeof text !== 'string' ? undefined : parse(parameter, text);
    if (value === undefined)
      throw new PortalError('parameter_invalid', `${name} cannot be used like this. Correct it or leave it out.`, name);
    values[name] = value;
  }
  return values;
}

/** @returns undefined where the text is not one of the parameter's values */
function parse(schema: Parameter, text: string): string | number | boolean | undefined {
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => one.const === text) ? text : undefined;
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (schema.type === 'integer') {
    const value = Number(text);
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
    return /^\d{1,16}$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
  }
  const isFit = text.length <= (schema.maxLength ?? 300) && !text.includes('\0');
  return isFit && (schema.pattern === undefined || new RegExp(schema.pattern).test(text)) ? text : undefined;
}
