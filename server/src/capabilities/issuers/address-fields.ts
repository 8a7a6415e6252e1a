import type { FieldSchema } from '../../core/issuer/requirements.ts';
import type { Words } from '../../platform/languages/words.ts';

// Fields of a recipient in the United States that every bank asks for in the same form.

export const phone = ({ say }: Words): FieldSchema => ({
  type: 'string',
  title: say('form.phone'),
  description: say('form.phoneHint', { example: '+14155550100' }),
  format: 'tel',
  'x-autocomplete': 'tel',
  'x-error': say('form.phoneError'),
});

export const state = ({ say }: Words): FieldSchema => ({
  type: 'string',
  title: say('form.state'),
  description: say('form.stateHint'),
  maxLength: 2,
  pattern: '[A-Za-z]{2}',
  'x-autocomplete': 'address-level1',
  'x-error': say('form.stateError'),
});

export const postalCode = ({ say }: Words): FieldSchema => ({
  type: 'string',
  title: say('form.zip'),
  maxLength: 10,
  pattern: '[0-9]{5}(?:-[0-9]{4})?',
  'x-autocomplete': 'postal-code',
  'x-error': say('form.zipError'),
});
