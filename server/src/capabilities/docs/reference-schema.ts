import type { Format } from './reference-format.ts';

/** What the page shows of a JSON schema of the OpenAPI document. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  pattern?: string;
  'x-rule'?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/** A field or a parameter. */
interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string | undefined;
}

/** What the fields belong to: an answer links the objects in it, a request shows them in place. */
export interface Place {
  schemas: Schemas;
  isRequest: boolean;
  format: Format;
  /** The address of an object, from the page that shows the fields. */
  addressOf: (object: string) => string;
}

export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

const resolve = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? {});

/** Names of the objects in a schema with their depth; 0 is the schema itself. */
export function objectsIn(schema: Schema, schemas: Schemas): Map<string, number> {
  const found = new Map<string, number>();
  let level = [schema];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: Schema[] = [];
    for (const { $ref, ...inline } of level) {
      const name = $ref === undefined ? undefined : nameOf($ref);
      if (name !== undefined && found.has(name)) continue;
      if (name !== undefined) found.set(name, depth);
      const { properties = {}, items, anyOf = [], oneOf = [] } = name === undefined ? inline : (schemas[name] ?? {});
      next.push(...Object.values(properties), ...anyOf, ...oneOf, ...(items === undefined ? [] : [items]));
    }
    level = next;
  }
  return found;
}

function typeOf(schema: Schema, place: Place): string {
  if (schema.$ref !== undefined && !place.isRequest)
    return place.format.link(nameOf(schema.$ref), place.addressOf(nameOf(schema.$ref)));
  const code = (value: unknown) => place.format.code(JSON.stringify(value));
  const { type = 'object', format, const: fixed, enum: values, items, anyOf } = resolve(schema, place.schemas);
  if (fixed !== undefined) return code(fixed);
  if (values !== undefined) return `one of ${values.map(code).join(', ')}`;
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one, place)).join(' or ');
  if (items !== undefined) return `list of ${typeOf(items, place).replace(/(?<=^(?:object|string|integer))$/, 's')}`;
  const types = [type].flat().join(' or ');
  return place.format.plain(format === undefined || format === 'int64' ? types : `${types} (${format})`);
}

function range(least: number | undefined, most: number | undefined, unit = ''): string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
  if (most !== undefined) return [`at most ${most}${unit}`];
  return least === undefined ? [] : [`at least ${least}${unit}`];
}

/** The limits of a schema. The description says what `x-rule` does. */
function limitsOf(schema: Schema, { code }: Format): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, maxProperties, pattern } = schema;
  return [
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum),
    ...range(minItems, maxItems, ' items'),
    ...range(undefined, maxProperties, ' keys'),
    ...(pattern === undefined || schema['x-rule'] !== undefined ? [] : [`matches ${code(pattern)}`]),
    ...(schema.default === undefined ? [] : [`default ${code(JSON.stringify(schema.default))}`]),
  ];
}

const isValue = ({ type }: Schema) => type !== 'null';

function field({ name, schema, isRequired, description }: Field, place: Place): string {
  const shown = resolve(schema, place.schemas);
  const limits = [shown, ...(shown.anyOf?.filter(isValue) ?? [])].flatMap((one) => limitsOf(one, place.format));
  const need =
    isRequired === place.isRequest ? [isRequired ? place.format.strong('required') : 'not always present'] : [];
  const facts = [typeOf(schema, place), ...need, ...limits].join(', ');
  const text = description ?? schema.description ?? shown.description ?? shown.anyOf?.find(isValue)?.description;
  const inner = place.isRequest || schema.$ref === undefined ? fields(shown, place) : '';
  return place.format.item(name, facts, text, inner);
}

export const fieldList = (list: readonly Field[], place: Place): string =>
  list.length === 0 ? '' : place.format.list(list.map((one) => field(one, place)));

/** Renders the fields of an object, of each object of a list, or of each of the objects that it may be. */
export function fields(schema: Schema, place: Place): string {
  const { properties = {}, required = [], items, anyOf = [], oneOf } = resolve(schema, place.schemas);
  if (items !== undefined && (place.isRequest || items.$ref === undefined)) return fields(items, place);
  if (oneOf !== undefined) return oneOf.map((one) => fields(one, place)).join(place.format.or);
  const nested = anyOf.filter(isValue).map((one) => fields(one, place));
  const list = Object.entries(properties).map(([name, value]) => ({
    name,
    schema: value,
    isRequired: required.includes(name),
  }));
  return fieldList(list, place) + nested.join('');
}

/** Names of the fields of a schema. @param isDeep also of the objects in it */
export function fieldNames(schema: Schema, schemas: Schemas, isDeep = true): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [] } = resolve(schema, schemas);
  const inner = isDeep ? [...Object.values(properties), ...(items === undefined ? [] : [items])] : [];
  const deeper = [...inner, ...anyOf, ...oneOf].flatMap((one) => fieldNames(one, schemas, isDeep));
  return [...new Set([...Object.keys(properties), ...deeper])];
}
