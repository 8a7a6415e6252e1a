import { Type } from 'typebox';

/** The caller's own data of an order or gift: up to 20 texts by name. */
export type Metadata = Record<string, string>;

export const METADATA_KEY = '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}$';
export const MAX_METADATA_VALUE = 500;
// One line of text, which may be empty: no control characters, line breaks or lone surrogates.
const VALUE = '^[^\\p{Cc}\\p{Cs}\\u2028\\u2029]*$';

/** @param use what the id does, as a sentence */
export const externalId = (use: string) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^\\p{Cc}\\p{Cs}\\u2028\\u2029]+$',
    'x-portable-pattern': '^[^\\r\\n]+$',
    description: `Your own id for it. ${use}`,
    examples: ['campaign-2026-117'],
    'x-rule': 'must be 1 to 255 characters without line breaks or control characters',
  });

export const metadata = Type.Unsafe<Metadata>({
  type: 'object',
  maxProperties: 20,
  propertyNames: { pattern: METADATA_KEY, type: 'string', maxLength: 40 },
  additionalProperties: {
    type: 'string',
    maxLength: MAX_METADATA_VALUE,
    pattern: VALUE,
    'x-portable-pattern': '^[^\\r\\n]*$',
    description: 'One line of text.',
    'x-rule': 'must have at most 500 characters, without line breaks or control characters',
  },
  description:
    'Your own data, not shown to recipients: up to 20 keys of 1 to 40 letters, digits, `_`, `.`, `:` or `-`, with texts of up to 500 characters. Store no personal data here.',
  examples: [{ team: 'sales' }],
  'x-rule': 'must have at most 20 keys of 1 to 40 characters, with texts of up to 500 characters in one line',
});

const given = (what: string) => `${what}, if it was given.`;

/** The fields of an answer. */
export const references = {
  external_id: Type.Optional(Type.String({ description: given('Your own id') })),
  metadata: Type.Optional(
    Type.Unsafe<Metadata>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: given('Your own data'),
    }),
  ),
};
