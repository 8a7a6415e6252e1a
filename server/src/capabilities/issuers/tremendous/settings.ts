import { OperatorError } from '../../../platform/base/operator-error.ts';
import type { Settings } from '../adapter.ts';
import { API_ADDRESS } from '../api-address.ts';

export const settings: Settings = {
  api_key: {
    meaning: 'API key: TEST_… of the sandbox, whose gifts buy nothing, or PROD_…',
    example: 'PROD_EXAMPLE-KEY',
    isSecret: true,
  },
  webhook_secret: {
    meaning:
      'Private key of the webhook; two, separated by a comma, while one is replaced; without one, Bestow only asks once a day',
    example: 'EXAMPLE-PRIVATE-KEY',
    isSecret: true,
    isOptional: true,
  },
  campaign: {
    meaning: 'Campaign whose products recipients choose from, and whose look the page has; this or products is needed',
    example: 'ABCDEF123456',
    isOptional: true,
  },
  products: {
    meaning: 'Products that recipients choose from instead of the campaign’s, separated by commas',
    example: 'OKMHM2X2OHYV,KV934TZ93NQM',
    isOptional: true,
  },
  choice: {
    meaning:
      'Where recipients choose: on our page before the claim (ours), or at Tremendous after it (theirs, if left out)',
    example: 'ours',
    isOptional: true,
  },
  countries: {
    meaning: 'Countries whose products our page offers, separated by commas; all if left out',
    example: 'US,CA',
    isOptional: true,
  },
  funding_source: {
    meaning: 'What orders are paid from; the balance if left out',
    example: 'FUND12345678',
    isOptional: true,
  },
  currency: { meaning: 'Currency of the account; USD if left out', example: 'USD', isOptional: true },
  api_base: {
    meaning: 'Address of the API, without /api/v2; this one is for tests',
    example: 'https://testflight.tremendous.com',
    isOptional: true,
  },
};

export interface TremendousSettings {
  apiKey: string;
  isLive: boolean;
  webhookSecrets: readonly string[];
  campaign: string | undefined;
  products: readonly string[];
  /** Whether the recipient chooses one product on our page. */
  hasOwnChoice: boolean;
  /** ISO 3166; empty: all. */
  countries: readonly string[];
  fundingSource: string;
  /** ISO 4217. */
  currency: string;
  apiBase: string | undefined;
}

/** Tremendous's name of the balance. */
const BALANCE = 'BALANCE';

const SHAPES: Record<string, [shape: RegExp, example: string]> = {
  api_key: [/^(?:TEST|PROD)_[!-~]{4,200}$/, 'a key of Tremendous, such as TEST_… or PROD_…'],
  webhook_secret: [/^[^,\s]{8,200}(?:,[^,\s]{8,200})?$/, 'one or two private keys of webhooks'],
  campaign: [/^[A-Z0-9]{4,40}$/, 'the id of a campaign, such as ABCDEF123456'],
  products: [/^[A-Z0-9]{4,40}(?:,[A-Z0-9]{4,40}){0,99}$/, 'at most 100 ids of products, separated by commas'],
  choice: [/^(?:ours|theirs)$/, 'ours or theirs'],
  countries: [/^[A-Z]{2}(?:,[A-Z]{2}){0,199}$/, 'countries such as US,CA'],
  funding_source: [/^[A-Z0-9]{4,40}$/, 'the id of a funding source, or BALANCE'],
  currency: [/^[A-Z]{3}$/, 'a currency such as USD'],
  api_base: API_ADDRESS,
};

/** @throws OperatorError that names the setting */
export function readSettings(values: Readonly<Record<string, string>>): TremendousSettings {
  for (const [name, [shape, example]] of Object.entries(SHAPES)) {
    const isOptional = settings[name]?.isOptional === true;
    const value = values[name];
    if (value === undefined ? !isOptional : !shape.test(value)) throw new OperatorError(`${name} must be ${example}.`);
  }
  const { api_key = '', webhook_secret, campaign, products } = values;
  if (campaign === undefined && products === undefined) throw new OperatorError('Set campaign, or products, or both.');
  if (values['countries'] !== undefined && values['choice'] !== 'ours')
    throw new OperatorError(
      'countries is for choice=ours only. Otherwise set the countries of the campaign at Tremendous.',
    );
  return {
    apiKey: api_key,
    isLive: api_key.startsWith('PROD_'),
    webhookSecrets: webhook_secret?.split(',') ?? [],
    campaign,
    products: products?.split(',') ?? [],
    hasOwnChoice: values['choice'] === 'ours',
    countries: values['countries']?.split(',') ?? [],
    fundingSource: values['funding_source'] ?? BALANCE,
    currency: values['currency'] ?? 'USD',
    apiBase: values['api_base'],
  };
}
