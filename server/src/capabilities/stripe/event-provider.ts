import type { Clock } from '../../platform/base/clock.ts';
import type { StripeConfig } from '../../platform/configuration/stripe-settings.ts';
import type { EventProvider } from '../provider-events/provider.ts';
import type { StripeClient } from './open-stripe.ts';
import { verifiedEvent } from './verified-event.ts';

export const STRIPE = 'stripe';

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
  verify(call) {
    const event = verifiedEvent(client, call, webhookSecrets, clock.now());
    return event && { eventId: event.id, type: event.type, isWanted: event.livemode === isLive };
  },
});
