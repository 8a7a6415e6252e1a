import { type Static, type TSchema, Type } from 'typebox';
import { VISIBLE_NAME } from '../base/visible-text.ts';

/** A time as ISO 8601. Acts return a `Date`; the serializer writes the text. */
export const Time = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });

/** The rule is of the whole, so that an error names it. */
export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()], 'x-rule' in schema ? { 'x-rule': schema['x-rule'] } : {});

/** Cents of the service's currency. */
export const Cents = Type.Integer();

/** One of these texts. */
export const oneOf = <const Value extends string>(...values: readonly Value[]) =>
  Type.Unsafe<Value>({ anyOf: values.map((value) => Type.Literal(value)) });

/** A text of an answer of `/v1` that may get more values: clients with a closed list could not read a new one. */
export const openText = <const Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>({
    type: 'string',
    'x-extensible-enum': values,
    description: `${description} Known values: ${values.map((value) => `\`${value}\``).join(', ')}. More may come.`,
    examples: values.slice(0, 1),
  });

export const Environment = oneOf('live', 'sandbox');

/** The rule of names of at most so many characters, for people. */
export const nameRule = (most: number) =>
  `must be one line of 1 to ${most} visible characters, without blanks at its ends`;

/** A name that people give, by which others know a thing: nothing in it is hidden. */
export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: VISIBLE_NAME, 'x-rule': nameRule(200) });

/** By `$id`, the schemas that others refer to. */
const named = new Map<string, TSchema>();

const idOf = (schema: TSchema) => (schema as { $id?: string }).$id ?? '';

/** Refers to a schema by its `$id`, which no other schema has. */
export function refTo<Schema extends TSchema>(schema: Schema) {
  const id = idOf(schema);
  if (id === '' || (named.get(id) ?? schema) !== schema) throw new Error(`A schema needs an $id of its own: “${id}”.`);
  named.set(id, schema);
  return Type.Unsafe<Static<Schema>>({ $ref: id });
}

/** Follows a reference of `refTo`; every other schema is returned as it is. */
export const resolveRef = <Schema extends object>(schema: Schema): Schema =>
  (named.get((schema as { $ref?: string }).$ref ?? '') as unknown as Schema | undefined) ?? schema;

/** The schemas to which these and their parts refer, each once and after those to which it refers itself. */
export function referredBy(schemas: unknown, found: Set<TSchema> = new Set()): Set<TSchema> {
  if (typeof schemas !== 'object' || schemas === null) return found;
  for (const part of Object.values(schemas)) referredBy(part, found);
  const target = resolveRef(schemas);
  if (target === schemas || found.has(target as TSchema)) return found;
  referredBy(target, found);
  return found.add(target as TSchema);
}
