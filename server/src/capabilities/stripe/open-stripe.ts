import type { Stripe } from 'stripe';
import type { Deps } from '../../core/deps.ts';
import type { StripeConfig } from '../../platform/configuration/stripe-settings.ts';

/** Longer than Stripe's slowest answers; jobs retry later. */
const TIMEOUT_MS = 20_000;

export type StripeClient = Stripe;

export interface StripeDeps extends Deps {
  /** Undefined if Stripe is not configured. */
  stripe: StripeClient | undefined;
}

/**
 * Loads Stripe's library, which takes 0.2 s and 38 MB, and opens a client. The library does not retry by itself: jobs do,
 * with their own `idempotencyKey`.
 */
export async function openStripe({
  secretKey,
  apiBase,
}: Pick<StripeConfig, 'secretKey' | 'apiBase'> & Partial<StripeConfig>): Promise<StripeClient> {
  const { Stripe: Client } = await import('stripe');
  const at = apiBase === undefined ? undefined : new URL(apiBase);
  return new Client(secretKey, {
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(at === undefined
      ? {}
      : {
          host: at.hostname,
          port: at.port === '' ? (at.protocol === 'http:' ? 80 : 443) : Number(at.port),
          protocol: at.protocol === 'http:' ? 'http' : 'https',
        }),
  });
}
