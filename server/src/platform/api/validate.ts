import { Ajv, type ValidateFunction } from 'ajv';
import { readTime } from 'bestow-readers/time.ts';
import { BestowError } from '../base/errors.ts';
import { referredBy, resolveRef } from './schema.ts';

/** The parts of JSON Schema that our bodies use. */
interface BodySchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, BodySchema>;
  required?: string[];
  items?: BodySchema;
  minItems?: number;
  maxItems?: number;
  discriminator?: { propertyName: string };
  oneOf?: BodySchema[];
  anyOf?: BodySchema[];
  const?: unknown;
  'x-rule'?: string;
}

interface Offence {
  param: string;
  message: string;
}

/** Validates a body; returns it without absent fields, or the first error in the order of the schema. */
type BodyValidator = (body: unknown) => { value: unknown } | { error: BestowError };

/** Those of a process, whose schemas are constants. Workers and most tests never need one. */
let ajv: Ajv | undefined;
const added = new Set<object>();
const compiled = new Map<object, ValidateFunction>();

/** Compiles a schema once, at its first use. */
function compile(schema: object): ValidateFunction {
  const earlier = compiled.get(schema);
  if (earlier !== undefined) return earlier;
  // No coercion: "1000" is not an integer. One error is enough: a million gifts in one body would make a million errors.
  ajv ??= new Ajv({
    discriminator: true,
    allErrors: false,
    keywords: ['x-rule', 'x-portable-pattern', 'x-extensible-enum'],
    formats: { int64: true, 'date-time': (text: string) => readTime(text) !== undefined },
  });
  const referred = [...referredBy(schema)];
  for (const one of referred) if (!added.has(one)) ajv.addSchema(one);
  for (const one of referred) added.add(one);
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}

const isValid = (schema: object, value: unknown): boolean => compile(schema)(value);

/** @param schema a constant: each is kept for ever */
export function bodyValidatorOf(schema: object): BodyValidator {
  return (body) => {
    const isWhole = compile(schema);
    if (isWhole(body)) return { value: body };
    const value = withoutNulls(schema as BodySchema, body);
    if (isWhole(value)) return { value };
    const offence = firstOffence(schema as BodySchema, value, '');
    return { error: new BestowError('parameter_invalid', offence ?? { param: 'body' }) };
  };
}

function firstOffence(unresolved: BodySchema, value: unknown, path: string): Offence | undefined {
  const schema = resolveRef(unresolved);
  if (schema.oneOf && schema.discriminator) return offenceInUnion(schema, value, path);
  // A map of texts is one parameter.
  if (schema.type === 'object' && schema.properties !== undefined) return offenceInObject(schema, value, path);
  if (schema.type === 'array') return offenceInArray(schema, value, path);
  const [object] = value === null || schema['x-rule'] !== undefined ? [] : objectsOf(schema);
  if (object !== undefined) return offenceInObject(object, value, path);
  return isValid(schema, value) ? undefined : { param: path, message: `${path} ${ruleOf(schema)}.` };
}

/** The object of a schema that is an object or null. */
const objectsOf = ({ anyOf = [] }: BodySchema) =>
  anyOf.map(resolveRef).filter(({ type, properties }) => type === 'object' && properties !== undefined);

function offenceInObject(schema: BodySchema, value: unknown, path: string): Offence | undefined {
  if (!isObject(value)) return notAnObject(path);
  const properties = schema.properties ?? {};
  for (const [name, property] of Object.entries(properties)) {
    const param = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(value, name)) {
      if (schema.required?.includes(name)) return { param, message: `${param} is required.` };
      continue;
    }
    const offence = firstOffence(property, value[name], param);
    if (offence) return offence;
  }
  for (const name in value) {
    if (Object.hasOwn(properties, name)) continue;
    const param = nameOfUnknown(path, name);
    return { param, message: `The field ${param} is not known here. Check its spelling.` };
  }
  return undefined;
}

/**
 * Removes optional fields that are null although their schema does not allow null: clients of several languages send null
 * for a field that is absent.
 */
function withoutNulls(unresolved: BodySchema, value: unknown): unknown {
  const schema = resolveRef(unresolved);
  const { items = {}, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(value)) return value.length > maxItems ? value : value.map((item) => withoutNulls(items, item));
  if (!isObject(value)) return value;
  const { properties = {}, required = [] } = branchOf(schema, value) ?? schema;
  const kept = Object.entries(value).flatMap(([name, item]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === undefined) return [[name, item]];
    const isAbsent = item === null && !required.includes(name) && !isValid(field, null);
    return isAbsent ? [] : [[name, withoutNulls(field, item)]];
  });
  return Object.fromEntries(kept);
}

/** The branch of a union that the value's tag names. */
function branchOf({ oneOf = [], discriminator }: BodySchema, value: Record<string, unknown>) {
  const tag = discriminator?.propertyName ?? '';
  if (!Object.hasOwn(value, tag)) return undefined;
  return oneOf.map(resolveRef).find(({ properties }) => properties?.[tag]?.const === value[tag]);
}

function offenceInUnion(schema: BodySchema, value: unknown, path: string): Offence | undefined {
  if (!isObject(value)) return notAnObject(path);
  const branch = branchOf(schema, value);
  if (branch) return offenceInObject(branch, value, path);
  const { oneOf = [], discriminator } = schema;
  const tag = discriminator?.propertyName ?? '';
  const allowed = oneOf.map((one) => String(resolveRef(one).properties?.[tag]?.const)).join(', ');
  const param = path === '' ? tag : `${path}.${tag}`;
  return { param, message: `${param} must be one of ${allowed}.` };
}

function offenceInArray(schema: BodySchema, value: unknown, path: string): Offence | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = schema;
  if (!Array.isArray(value) || value.length < minItems || value.length > maxItems)
    return { param: path, message: `${path} ${ruleOf(schema)}.` };
  for (const [index, item] of value.entries()) {
    const offence = firstOffence(items, item, `${path}[${index}]`);
    if (offence) return offence;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const notAnObject = (path: string): Offence =>
  path === ''
    ? { param: 'body', message: 'The body must be a JSON object.' }
    : { param: path, message: `${path} must be an object.` };

function ruleOf(schema: BodySchema): string {
  if (schema['x-rule'] !== undefined) return schema['x-rule'];
  const { enum: listed } = schema as { enum?: unknown[] };
  const chosen = schema.anyOf?.map((one) => one.const).filter((value) => value !== undefined) ?? [];
  const values = listed ?? (chosen.length > 0 ? chosen : undefined);
  return values ? `must be one of ${values.join(', ')}` : 'is not valid';
}

const LONGEST_NAME = 100;

const NOT_TEXT = /[\p{Cc}\u2028\u2029]/gu;

/** Shortens and cleans an unknown field's name, which may be a megabyte long or have control characters. */
function nameOfUnknown(path: string, name: string): string {
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name || '""';
  return (path === '' ? shown : `${path}.${shown}`).toWellFormed().replace(NOT_TEXT, '\ufffd');
}
