import type { TSchema } from 'typebox';
import { maskAddress } from '../base/mask-address.ts';

/** Marks a field of an answer that names a recipient; roles without `people` get it masked, or null if it is a text. */
export const ADDRESS_OF_PERSON = { 'x-person': 'address' } as const;
export const TEXT_OF_PERSON = { 'x-person': 'text' } as const;

interface Marked {
  'x-person'?: 'address' | 'text';
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: TSchema[];
}

/** Returns the answer with masked addresses and without names and words of people, as its schema marks them. */
export function maskPeople(schema: TSchema, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const { 'x-person': mark, properties, items, anyOf } = schema as Marked;
  if (typeof value === 'string') {
    const kind = mark ?? anyOf?.map((one) => (one as Marked)['x-person']).find((one) => one !== undefined);
    if (kind === undefined) return value;
    return kind === 'address' ? maskAddress(value) : null;
  }
  if (Array.isArray(value)) {
    // Also of a list that may be null.
    const ofOne = items ?? anyOf?.map((one) => (one as Marked).items).find((one) => one !== undefined);
    return ofOne === undefined ? value : value.map((one) => maskPeople(ofOne, one));
  }
  if (typeof value !== 'object' || value instanceof Date) return value;
  const shapes = properties === undefined ? (anyOf ?? []) : [schema];
  return shapes.reduce((masked, shape) => maskFields(shape, masked), value);
}

function maskFields(shape: TSchema, value: object): object {
  const { properties, anyOf } = shape as Marked;
  if (properties === undefined) return (anyOf ?? []).reduce((masked, one) => maskFields(one, masked), value);
  const fields = Object.entries(properties).filter(([name]) => name in value);
  const masked = fields.map(([name, schema]) => [name, maskPeople(schema, (value as Record<string, unknown>)[name])]);
  return { ...value, ...Object.fromEntries(masked) };
}
