import { invalid, refusalOf } from './refusal.ts';
import { readTimeMs } from './time.ts';

/** The part of JSON Schema that the service’s bodies and parameters use. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  anyOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: false | Schema;
  propertyNames?: Schema;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  'x-rule'?: string;
}
export interface Operation {
  id: string;
  method: string;
  path: string;
  query: Record<string, Schema>;
  body?: Schema;
  needs_body?: boolean;
  needs_key?: boolean;
}
export interface Rules {
  /** What a local part or phone number of the sandbox does. */
  steering: Record<string, string>;
  categories: { id: string; name: string; description: string }[];
  errors: Record<string, { status: number; type: string; message: string; retry_after?: number }>;
  event_types: string[];
  /** Patterns of the addresses that an endpoint may have, and of those in private networks. */
  endpoint: string;
  private_endpoint: string;
  operations: Operation[];
  schemas: Record<string, Schema>;
}
type Member = Record<string, unknown>;

const isObject = (value: unknown): value is Member =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const resolved = (schemas: Record<string, Schema>, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.replace(/.*\//, '')] ?? {});

/** The value without members that are null, although they cannot be: they are absent. */
export function withoutNulls(schemas: Record<string, Schema>, schema: Schema, value: unknown): unknown {
  const { items = {}, discriminator, ...named } = resolved(schemas, schema);
  if (Array.isArray(value)) return value.map((one) => withoutNulls(schemas, items, one));
  if (!isObject(value)) return value;
  const $ref = discriminator?.mapping[`${value[discriminator.propertyName]}`];
  if ($ref !== undefined) return withoutNulls(schemas, { $ref }, value);
  const { properties = {}, required = [] } = named;
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const member = properties[name];
    if (member === undefined) return [[name, one]];
    const isAbsent =
      one === null && !required.includes(name) && refusalOf(() => checkInput(schemas, member, null)) !== undefined;
    return isAbsent ? [] : [[name, withoutNulls(schemas, member, one)]];
  });
  return Object.fromEntries(kept);
}

/** Checks a body or parameter as the service does. @throws Refusal for the first part that is wrong */
export function checkInput(schemas: Record<string, Schema>, schema: Schema, value: unknown, path = ''): void {
  const named = resolved(schemas, schema);
  const rule = schema['x-rule'] ?? named['x-rule'] ?? 'is not valid';
  const { anyOf, additionalProperties, items = {} } = named;
  const isValid = (one: Schema, part: unknown) => refusalOf(() => checkInput(schemas, one, part)) === undefined;
  if (anyOf !== undefined) {
    if (!anyOf.some((one) => isValid(one, value))) throw invalid(path, rule);
  } else if (additionalProperties) {
    // A wrong pair makes the whole wrong.
    const { propertyNames = {}, maxProperties = Infinity } = named;
    const pairs = isObject(value) ? Object.entries(value) : undefined;
    const areValid = pairs?.every(([name, one]) => isValid(propertyNames, name) && isValid(additionalProperties, one));
    if (!areValid || (pairs ?? []).length > maxProperties) throw invalid(path, rule);
  } else if (named.discriminator !== undefined || named.type === 'object') checkObject(schemas, named, value, path);
  else if (!isPlain(named, value)) throw invalid(path, rule);
  else if (Array.isArray(value))
    for (const [index, one] of value.entries()) checkInput(schemas, items, one, `${path}[${index}]`);
}

function checkObject(schemas: Record<string, Schema>, schema: Schema, value: unknown, path: string): void {
  if (!isObject(value))
    throw path === '' ? invalid('body', 'must be a JSON object') : invalid(path, 'must be an object');
  const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`);
  const { discriminator, required = [], properties = {} } = schema;
  if (discriminator !== undefined) {
    const { propertyName, mapping } = discriminator;
    const $ref = mapping[String(value[propertyName])];
    if ($ref === undefined) throw invalid(pathOf(propertyName), `must be one of ${Object.keys(mapping).join(', ')}`);
    checkInput(schemas, { $ref }, value, path);
    return;
  }
  const missing = required.find((name) => value[name] === undefined);
  if (missing !== undefined) throw invalid(pathOf(missing), 'is required');
  const unknown = Object.keys(value).find((name) => properties[name] === undefined);
  if (unknown !== undefined) throw invalid(pathOf(unknown), 'is not known here');
  for (const [name, member] of Object.entries(properties))
    if (value[name] !== undefined) checkInput(schemas, member, value[name], pathOf(name));
}

const KINDS: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
};

function isPlain(schema: Schema, value: unknown): boolean {
  if (schema.type !== undefined && !KINDS[schema.type]?.(value)) return false;
  if (schema.const !== undefined && value !== schema.const) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  if (typeof value === 'string') return isText(schema, value);
  const { minimum, maximum, minItems, maxItems } = schema;
  const size = Array.isArray(value) ? value.length : Number(value);
  return size >= (minimum ?? minItems ?? -Infinity) && size <= (maximum ?? maxItems ?? Infinity);
}

function isText({ minLength = 0, maxLength = Infinity, pattern = '', format }: Schema, text: string): boolean {
  const { length } = [...text];
  const isLike = new RegExp(pattern, 'u').test(text) && !/\p{Cs}/u.test(text);
  if (length < minLength || length > maxLength || !isLike) return false;
  return format !== 'date-time' || !Number.isNaN(readTimeMs(text));
}
