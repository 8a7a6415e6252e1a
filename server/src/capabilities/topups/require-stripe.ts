import { BestowError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { StripeClient, StripeDeps } from '../stripe/open-stripe.ts';

interface Configured {
  client: StripeClient;
  config: NonNullable<Config['stripe']>;
  /** As Stripe writes it. */
  currency: string;
}

/** @throws BestowError `not_found` if Stripe is not configured */
export function requireStripe({ stripe, config }: Pick<StripeDeps, 'stripe' | 'config'>): Configured {
  if (stripe === undefined || config.stripe === undefined) throw new BestowError('not_found');
  return { client: stripe, config: config.stripe, currency: config.currency.toLowerCase() };
}
