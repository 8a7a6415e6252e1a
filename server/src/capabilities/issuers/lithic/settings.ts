import { OperatorError } from '../../../platform/base/operator-error.ts';
import type { Settings } from '../adapter.ts';
import { API_ADDRESS } from '../api-address.ts';

export const settings: Settings = {
  api_key: {
    meaning: 'API key of the Lithic program, without access to card numbers (PCI)',
    example: 'EXAMPLE-KEY',
    isSecret: true,
  },
  webhook_secret: {
    meaning: 'Signing secret of the event subscription; two, separated by a comma, while one is replaced',
    example: 'whsec_EXAMPLE',
    isSecret: true,
  },
  asa_secret: {
    meaning: 'HMAC secret of Auth Stream Access; two, separated by a comma, for the 24 hours after a rotation',
    example: 'EXAMPLESECRET',
    isSecret: true,
  },
  terms_url: {
    meaning: 'Address of the terms that a recipient accepts',
    example: 'https://gifts.example/card-terms',
  },
  terms_version: { meaning: 'Version of those terms', example: '2026-11-01' },
  brand: { meaning: 'What the card is called; Virtual card if left out', example: 'Visa', isOptional: true },
  api_base: {
    meaning: 'Address of the Lithic API; this one is for tests',
    example: 'https://sandbox.lithic.com',
    isOptional: true,
  },
};

export interface LithicSettings {
  apiKey: string;
  secrets: readonly string[];
  asaSecrets: readonly string[];
  terms: { url: string; version: string };
  brand: string;
  apiBase: string | undefined;
}

const SHAPES: Record<string, [shape: RegExp, example: string]> = {
  api_key: [/^\S{8,200}$/, 'an API key of Lithic'],
  webhook_secret: [/^whsec_[\w+/=]+(?:,whsec_[\w+/=]+)?$/, 'one or two secrets such as whsec_…'],
  asa_secret: [/^[\w+/=]{8,}(?:,[\w+/=]{8,})?$/, 'one or two secrets of Auth Stream Access'],
  terms_url: [/^https:\/\/\S+$/, 'an https:// address'],
  terms_version: [/^\S{1,40}$/, 'at most 40 characters without spaces'],
  brand: [/^.{1,40}$/, 'at most 40 characters'],
  api_base: API_ADDRESS,
};

/** @throws OperatorError that names the setting */
export function readSettings(values: Readonly<Record<string, string>>): LithicSettings {
  for (const [name, [shape, example]] of Object.entries(SHAPES)) {
    const isOptional = settings[name]?.isOptional === true;
    const value = values[name];
    if (value === undefined ? !isOptional : !shape.test(value)) throw new OperatorError(`${name} must be ${example}.`);
  }
  return {
    apiKey: values['api_key'] ?? '',
    secrets: (values['webhook_secret'] ?? '').split(','),
    asaSecrets: (values['asa_secret'] ?? '').split(','),
    terms: { url: values['terms_url'] ?? '', version: values['terms_version'] ?? '' },
    brand: values['brand'] ?? 'Virtual card',
    apiBase: values['api_base'],
  };
}
