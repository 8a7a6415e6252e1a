import { OperatorError } from '../../../platform/base/operator-error.ts';
import { API_ADDRESS } from '../api-address.ts';

/** Names of the settings, and what each means. */
export const settings = {
  secret_key: 'Secret or restricted key of the Stripe account, sk_… or rk_…',
  publishable_key: 'Publishable key, pk_…; it shows cards in the browser',
  webhook_secret: 'Signing secret of the webhook endpoint, whsec_…; two, separated by a comma, while one is replaced',
  authorization_secret: 'Signing secret of the real-time authorization endpoint, if it is another one',
  terms_url: 'Address of the terms that a recipient accepts, https://…',
  terms_version: 'Version of those terms, such as 2026-11-01',
  currency: 'Currency of the cards; usd if left out',
  api_base: 'Address of the Stripe API, for tests',
} as const;

export const optionalSettings = ['authorization_secret', 'currency', 'api_base'] as const;

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
    const isOptional = (optionalSettings as readonly string[]).includes(name);
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
