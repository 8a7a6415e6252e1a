import type { Clock } from '../base/clock.ts';
import type { EventProvider } from '../provider-events/provider.ts';
import type { StripeClient } from './open-stripe.ts';
import type { StripeConfig } from './settings.ts';

export const STRIPE = 'stripe';
/** The library's own; older signatures may be replays. */
const TOLERANCE_SECONDS = 300;

/** Stripe's signed events at `/hooks/stripe`. */
export const stripeEvents = (
  client: StripeClient,
  { webhookSecrets, isLive }: Pick<StripeConfig, 'webhookSecrets' | 'isLive'>,
  clock: Clock,
): EventProvider => ({
  name: STRIPE,
  title: 'Stripe',
  path: '/hooks/stripe',
  setting: 'STRIPE_WEBHOOK_SECRET',
  verify({ headers, body }) {
    const { 'stripe-signature': signature } = headers;
    if (typeof signature !== 'string') return undefined;
    for (const secret of webhookSecrets)
      try {
        const event = client.webhooks.constructEvent(
          body,
          signature,
          secret,
          TOLERANCE_SECONDS,
          undefined,
          clock.now(),
        );
        return { eventId: event.id, type: event.type, isWanted: event.livemode === isLive };
      } catch {
        // Another secret may have signed it.
      }
    return undefined;
  },
});
