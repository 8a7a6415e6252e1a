import { OperatorError } from '../../../platform/base/operator-error.ts';
import type { Settings } from '../adapter.ts';
import { API_ADDRESS } from '../api-address.ts';

export const settings: Settings = {
  secret_key: {
    meaning: 'Secret or restricted key of the Stripe account, sk_… or rk_…',
    example: 'sk_live_EXAMPLE',
    isSecret: true,
  },
  publishable_key: { meaning: 'Publishable key; it shows cards in the browser', example: 'pk_live_EXAMPLE' },
  webhook_secret: {
    meaning: 'Signing secret of the webhook endpoint; two, separated by a comma, while one is replaced',
    example: 'whsec_EXAMPLE',
    isSecret: true,
  },
  authorization_secret: {
    meaning: 'Signing secret of the real-time authorization endpoint, if it is another one',
    example: 'whsec_EXAMPLE',
    isSecret: true,
    isOptional: true,
  },
  terms_url: {
    meaning: 'Address of the terms that a recipient accepts',
    example: 'https://gifts.example/card-terms',
  },
  terms_version: { meaning: 'Version of those terms', example: '2026-11-01' },
  currency: { meaning: 'Currency of the cards; usd if left out', example: 'usd', isOptional: true },
  api_base: { meaning: 'Address of the Stripe API, for tests', example: 'http://localhost:12111', isOptional: true },
};

export interface StripeIssuerSettings {
  secretKey: string;
  publishableKey: string;
  /** Of webhook events. */
  secrets: readonly string[];
  /** Of questions. */
  authorizationSecrets: readonly string[];
  terms: { url: string; version: string };
  /** ISO 4217, lower case, as Stripe writes it. */
  currency: string;
  apiBase: string | undefined;
}

const SHAPES: Record<string, [shape: RegExp, example: string]> = {
  secret_key: [/^(?:sk|rk)_(?:live|test)_\w+$/, 'a secret key of Stripe, such as sk_live_…'],
  publishable_key: [/^pk_(?:live|test)_\w+$/, 'a publishable key of Stripe, such as pk_live_…'],
  webhook_secret: [/^whsec_\w+(?:,whsec_\w+)?$/, 'one or two secrets such as whsec_…'],
  authorization_secret: [/^whsec_\w+(?:,whsec_\w+)?$/, 'one or two secrets such as whsec_…'],
  terms_url: [/^https:\/\/\S+$/, 'an https:// address'],
  terms_version: [/^\S{1,40}$/, 'at most 40 characters without spaces'],
  currency: [/^[a-z]{3}$/i, 'a currency such as usd'],
  api_base: API_ADDRESS,
};

/** @throws OperatorError that names the setting */
export function readSettings(values: Readonly<Record<string, string>>): StripeIssuerSettings {
  for (const [name, [shape, example]] of Object.entries(SHAPES)) {
    const isOptional = settings[name]?.isOptional === true;
    const value = values[name];
    if (value === undefined ? !isOptional : !shape.test(value)) throw new OperatorError(`${name} must be ${example}.`);
  }
  const { secret_key = '', publishable_key = '', webhook_secret = '', authorization_secret, terms_url = '' } = values;
  if (secret_key.includes('_live_') !== publishable_key.includes('_live_'))
    throw new OperatorError('secret_key and publishable_key must both be live keys or both be test keys.');
  return {
    secretKey: secret_key,
    publishableKey: publishable_key,
    secrets: webhook_secret.split(','),
    authorizationSecrets: (authorization_secret ?? webhook_secret).split(','),
    terms: { url: terms_url, version: values['terms_version'] ?? '' },
    currency: (values['currency'] ?? 'usd').toLowerCase(),
    apiBase: values['api_base'],
  };
}
