import { type DeliveryReference, decodeReference } from '../../../platform/messaging/reference.ts';

export interface Failure {
  /** Why the message was not delivered, for people. */
  reason: string;
  /** The event may not be a real failure; ignore it if the message is known to be delivered. */
  unlessDelivered?: boolean;
}

/** An accepted message was refused because of the service's account, so it is sent again. */
interface AccountRefusal {
  accountReason: string;
  providerId: string;
}

/** The outcome that an event reports. Events without a verdict are ignored. */
export type Verdict = 'delivered' | Failure | AccountRefusal;

/** A webhook event for one message. */
export interface DeliveryEvent {
  reference: DeliveryReference;
  verdict: Verdict;
}

const IN_MESSAGE_ID = /^<?([\w-]+)(?:@[^@>]*)?>?$/;

/** Builds an event for the first text that is a reference, bare or as the left half of a `Message-ID`. */
export function eventsFor(verdict: Verdict | undefined, texts: readonly unknown[]): DeliveryEvent[] {
  if (verdict === undefined) return [];
  for (const text of texts) {
    const reference = typeof text === 'string' && decodeReference(IN_MESSAGE_ID.exec(text)?.[1] ?? '');
    if (reference) return [{ reference, verdict }];
  }
  return [];
}
