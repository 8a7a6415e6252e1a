import { Ajv, type ValidateFunction } from 'ajv';
import { readTime } from 'bestow-readers/time.ts';
import { BestowError } from '../base/errors.ts';

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

/** What the search for an error needs of all schemas. */
interface Schemas {
  /** Follows a reference. */
  resolve(schema: BodySchema): BodySchema;
  isValid(schema: object, value: unknown): boolean;
}

/** @param schemas the schemas that others refer to by `$id` */
export function createBodyValidators(schemas: readonly object[]): (schema: object) => BodyValidator {
  const byId = new Map(schemas.map((schema) => [(schema as { $id?: string }).$id, schema as BodySchema]));
  let created: Ajv | undefined;

  // Created at first use: workers and most tests never need it.
  function compiler(): Ajv {
    if (created !== undefined) return created;
    // No coercion: "1000" is not an integer. One error is enough: a million gifts in one body would make a million errors.
    created = new Ajv({
      discriminator: true,
      allErrors: false,
      keywords: ['x-rule', 'x-portable-pattern', 'x-extensible-enum'],
      formats: { int64: true, 'date-time': (text: string) => readTime(text) !== undefined },
    });
    for (const schema of schemas) created.addSchema(schema);
    return created;
  }

  const known: Schemas = {
    resolve: (schema) => (schema.$ref === undefined ? schema : (byId.get(schema.$ref.replace(/#$/, '')) as BodySchema)),
    isValid: (schema, value) => compiler().validate(schema, value),
  };
  return (schema) => {
    let isValid: ValidateFunction | undefined;
    return (body) => {
      isValid ??= compiler().compile(schema);
      if (isValid(body)) return { value: body };
      const value = withoutNulls(known, schema as BodySchema, body);
      if (isValid(value)) return { value };
      const offence = firstOffence(known, schema as BodySchema, value, '');
      return { error: new BestowError('parameter_invalid', offence ?? { param: 'body' }) };
    };
  };
}

function firstOffence(schemas: Schemas, unresolved: BodySchema, value: unknown, path: string): Offence | undefined {
  const schema = schemas.resolve(unresolved);
  if (schema.oneOf && schema.discriminator) return offenceInUnion(schemas, schema, value, path);
  // A map of texts is one parameter.
  if (schema.type === 'object' && schema.properties !== undefined) return offenceInObject(schemas, schema, value, path);
  if (schema.type === 'array') return offenceInArray(schemas, schema, value, path);
  const [object] = value === null || schema['x-rule'] !== undefined ? [] : objectsOf(schemas, schema);
  if (object !== undefined) return offenceInObject(schemas, object, value, path);
  return schemas.isValid(schema, value) ? undefined : { param: path, message: `${path} ${ruleOf(schema)}.` };
}

/** The object of a schema that is an object or null. */
const objectsOf = (schemas: Schemas, { anyOf = [] }: BodySchema) =>
  anyOf.map(schemas.resolve).filter(({ type, properties }) => type === 'object' && properties !== undefined);

function offenceInObject(schemas: Schemas, schema: BodySchema, value: unknown, path: string): Offence | undefined {
  if (!isObject(value)) return notAnObject(path);
  const properties = schema.properties ?? {};
  for (const [name, property] of Object.entries(properties)) {
    const param = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(value, name)) {
      if (schema.required?.includes(name)) return { param, message: `${param} is required.` };
      continue;
    }
    const offence = firstOffence(schemas, property, value[name], param);
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
function withoutNulls(schemas: Schemas, unresolved: BodySchema, value: unknown): unknown {
  const schema = schemas.resolve(unresolved);
  const { items = {}, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (Array.isArray(value))
    return value.length > maxItems ? value : value.map((item) => withoutNulls(schemas, items, item));
  if (!isObject(value)) return value;
  const { properties = {}, required = [] } = branchOf(schemas, schema, value) ?? schema;
  const kept = Object.entries(value).flatMap(([name, item]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === undefined) return [[name, item]];
    const isAbsent = item === null && !required.includes(name) && !schemas.isValid(field, null);
    return isAbsent ? [] : [[name, withoutNulls(schemas, field, item)]];
  });
  return Object.fromEntries(kept);
}

/** The branch of a union that the value's tag names. */
function branchOf(schemas: Schemas, { oneOf = [], discriminator }: BodySchema, value: Record<string, unknown>) {
  const tag = discriminator?.propertyName ?? '';
  if (!Object.hasOwn(value, tag)) return undefined;
  return oneOf.map(schemas.resolve).find(({ properties }) => properties?.[tag]?.const === value[tag]);
}

function offenceInUnion(schemas: Schemas, schema: BodySchema, value: unknown, path: string): Offence | undefined {
  if (!isObject(value)) return notAnObject(path);
  const branch = branchOf(schemas, schema, value);
  if (branch) return offenceInObject(schemas, branch, value, path);
  const { oneOf = [], discriminator } = schema;
  const tag = discriminator?.propertyName ?? '';
  const allowed = oneOf.map((one) => String(schemas.resolve(one).properties?.[tag]?.const)).join(', ');
  const param = path === '' ? tag : `${path}.${tag}`;
  return { param, message: `${param} must be one of ${allowed}.` };
}

function offenceInArray(schemas: Schemas, schema: BodySchema, value: unknown, path: string): Offence | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = schema;
  if (!Array.isArray(value) || value.length < minItems || value.length > maxItems)
    return { param: path, message: `${path} ${ruleOf(schema)}.` };
  for (const [index, item] of value.entries()) {
    const offence = firstOffence(schemas, items, item, `${path}[${index}]`);
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
