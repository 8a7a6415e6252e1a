import { OperatorError } from '../base/operator-error.ts';
import { integer, listOf, providerUrl, refuse, text } from './setting-kinds.ts';

/** Environment variables of Stripe; without the first, Stripe is not used and its library not loaded. */
export const stripeSettings = {
  STRIPE_SECRET_KEY: text(
    'Secret or restricted key of the Stripe account, `sk_…` or `rk_…`; a test key is refused in production',
    'none: Stripe is not used',
    (value, name) => {
      if (value === undefined || /^(?:sk|rk)_(?:live|test)_\w+$/.test(value)) return value;
      return refuse(name, 'a secret key of Stripe, such as sk_live_…');
    },
  ),
  STRIPE_WEBHOOK_SECRET: text(
    'Signing secrets of Stripe’s webhook endpoint `/hooks/stripe`, `whsec_…`, separated by commas; required with `STRIPE_SECRET_KEY`',
    'none',
    (value, name): string[] => {
      const secrets = listOf(value ?? '');
      return secrets.every((secret) => /^whsec_\w+$/.test(secret)) ? secrets : refuse(name, 'secrets such as whsec_…');
    },
  ),
  STRIPE_API_BASE: text('Address of the Stripe API, for tests', 'Stripe’s own', providerUrl),
  TOPUP_CARD_FEE_BASIS_POINTS: integer(
    'What a top-up by card costs the organization in addition, in hundredths of a percent: `290` is 2.9 %',
    0,
    0,
    1_000,
  ),
  TOPUP_CARD_FEE_CENTS: integer('Cents that a top-up by card costs in addition to that', 0, 0, 10_000),
} as const;

export interface StripeConfig {
  secretKey: string;
  /** At least one; events signed by any are accepted. */
  webhookSecrets: string[];
  /** Undefined: Stripe's own. */
  apiBase: string | undefined;
  /** Whether the key moves real money. Events of the other kind are ignored. */
  isLive: boolean;
  /** What an organization pays in addition to a top-up by card. */
  cardFee: { basisPoints: number; cents: number };
}

interface StripeValues {
  cardFee: StripeConfig['cardFee'];
  secretKey: string | undefined;
  webhookSecrets: string[];
  apiBase: string | undefined;
}

/** @throws OperatorError if a value is missing, or real balances would be funded with test money */
export function stripeConfig(
  { secretKey, webhookSecrets, apiBase, cardFee }: StripeValues,
  isProduction: boolean,
): StripeConfig | undefined {
  if (secretKey === undefined) return undefined;
  if (webhookSecrets.length === 0)
    throw new OperatorError(
      'STRIPE_WEBHOOK_SECRET must be set if STRIPE_SECRET_KEY is; copy it from the endpoint in Stripe.',
    );
  const isLive = secretKey.includes('_live_');
  if (isProduction && !isLive)
    throw new OperatorError(
      'STRIPE_SECRET_KEY must be a live key in production: a test key credits money that no one paid.',
    );
  return { secretKey, webhookSecrets, apiBase, isLive, cardFee };
}
