import type { FieldSchema, Requirements } from '../../../core/issuer/requirements.ts';
import { englishWords } from '../../../platform/languages/words.ts';
import { phone, postalCode, state } from '../address-fields.ts';
import type { LithicSettings } from './settings.ts';

const text = (title: string, maxLength: number, autocomplete: string): FieldSchema => ({
  type: 'string',
  title,
  maxLength,
  'x-autocomplete': autocomplete,
});

/** What Lithic needs to know of a holder of a prepaid card who is exempt from identification. */
export const requirementsOf = ({ terms }: LithicSettings, words = englishWords): Requirements => ({
  schema: {
    type: 'object',
    properties: {
      first_name: text(words.say('form.firstName'), 50, 'given-name'),
      last_name: text(words.say('form.lastName'), 50, 'family-name'),
      email: { ...text(words.say('form.email'), 200, 'email'), format: 'email' },
      phone: phone(words),
      line1: text(words.say('form.street'), 100, 'address-line1'),
      line2: text(words.say('form.apartment'), 100, 'address-line2'),
      city: text(words.say('form.city'), 60, 'address-level2'),
      state: state(words),
      postal_code: postalCode(words),
    },
    required: ['first_name', 'last_name', 'email', 'phone', 'line1', 'city', 'state', 'postal_code'],
  },
  country: 'US',
  terms: { version: terms.version, text: words.say('form.terms'), url: terms.url },
});
