import { type Static, type TSchema, Type } from 'typebox';

/** A time as ISO 8601. Acts return a `Date`; the serializer writes the text. */
export const Time = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Cents of the service's currency. */
export const Cents = Type.Integer();

/** One of these texts. */
export const oneOf = <const Value extends string>(...values: readonly Value[]) =>
  Type.Unsafe<Value>({ anyOf: values.map((value) => Type.Literal(value)) });

export const Environment = oneOf('live', 'sandbox');

/** A name that people give: 1 to 200 characters without blanks at its ends. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^\\S(.*\\S)?$',
  'x-rule': 'must be 1 to 200 characters, without blanks at its ends',
});

/** Refers to a schema that the app knows by its `$id`. */
export const refTo = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema>>({ $ref: (schema as { $id?: string }).$id ?? '' });
