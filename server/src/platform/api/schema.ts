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

/** Refers to a schema that the app knows by its `$id`. */
export const refTo = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema>>({ $ref: (schema as { $id?: string }).$id ?? '' });
