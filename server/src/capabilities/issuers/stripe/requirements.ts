import type { FieldSchema, Requirements } from '../../../core/issuer/requirements.ts';
import { englishWords, type Words } from '../../../platform/languages/words.ts';
import { phone, postalCode, state } from '../address-fields.ts';
import type { StripeIssuerSettings } from './settings.ts';

/** Letters of Latin script, which Stripe demands. Combining marks belong to letters that are typed in two parts. */
const LATIN = "[\\p{Script=Latin}\\p{M} .,'’\\-]+";
const STREET = "[\\p{Script=Latin}\\p{M}\\p{N} .,'’\\-#&\\/]+";

/** A field of Latin letters. */
const latin = (
  { say }: Words,
  title: string,
  maxLength: number,
  autocomplete: string,
  pattern = LATIN,
): FieldSchema => ({
  type: 'string',
  title,
  maxLength,
  pattern,
  'x-autocomplete': autocomplete,
  'x-error': say('form.latin', { label: title }),
});

const propertiesIn = (words: Words): Record<string, FieldSchema> => ({
  first_name: latin(words, words.say('form.firstName'), 50, 'given-name'),
  last_name: latin(words, words.say('form.lastName'), 50, 'family-name'),
  date_of_birth: { type: 'string', title: words.say('form.birth'), format: 'date', 'x-autocomplete': 'bday' },
  phone: phone(words),
  line1: latin(words, words.say('form.street'), 100, 'address-line1', STREET),
  line2: latin(words, words.say('form.apartment'), 100, 'address-line2', STREET),
  city: latin(words, words.say('form.city'), 60, 'address-level2'),
  state: state(words),
  postal_code: postalCode(words),
});

/** What Stripe needs to know of a cardholder. Consumer cards exist in the United States only. */
export function requirementsOf({ terms }: StripeIssuerSettings, words = englishWords): Requirements {
  const properties = propertiesIn(words);
  return {
    schema: {
      type: 'object',
      properties,
      required: Object.keys(properties).filter((name) => name !== 'line2'),
    },
    country: 'US',
    terms: { version: terms.version, text: words.say('form.terms'), url: terms.url },
  };
}
