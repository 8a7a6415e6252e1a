import type { IncomingHttpHeaders } from 'node:http';
import type { Stripe } from 'stripe';
import { isEventText } from '../../platform/base/storable.ts';

/** The library's own; older signatures may be replays. */
const TOLERANCE_SECONDS = 300;

/** Returns the event if it was signed with one of the secrets in the last five minutes. */
export function verifiedEvent(
  { webhooks }: Pick<typeof Stripe, 'webhooks'>,
  { headers, body }: { headers: IncomingHttpHeaders; body: string },
  secrets: readonly string[],
  nowMs: number,
): Stripe.Event | undefined {
  const { 'stripe-signature': signature } = headers;
  if (typeof signature !== 'string') return undefined;
  for (const secret of secrets)
    try {
      const event = webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, nowMs);
      return isEventText(event.id) && isEventText(event.type) ? event : undefined;
    } catch {
      // Another secret may have signed it.
    }
  return undefined;
}
