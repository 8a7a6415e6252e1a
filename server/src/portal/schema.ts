import { type TSchema, Type } from 'typebox';

/** A time, sent as ISO 8601. Acts answer a Date, which the serializer writes so. */
export const Time = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Cents of the service's one currency. */
export const Cents = Type.Integer();

export const Environment = Type.Union([Type.Literal('live'), Type.Literal('sandbox')]);

/** What people call a thing: 1 to 200 characters, not blank at its ends. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^\\S(.*\\S)?$',
  'x-rule': 'must be 1 to 200 characters, without blanks at its ends',
});
