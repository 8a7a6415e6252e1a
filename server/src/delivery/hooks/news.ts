import { type DeliveryReference, decodeReference } from '../../messaging/reference.ts';

export interface Failure {
  /** Why the message did not arrive, in words that a person can read. */
  reason: string;
  /** It may be no failure at all, so it does not count against a message that is known to have arrived. */
  unlessDelivered?: boolean;
}

/** What an event says of a message. Events that are in no table say nothing: the provider still tries, or it is done. */
export type Verdict = 'delivered' | Failure;

/** What a provider tells of one message. */
export interface News {
  reference: DeliveryReference;
  verdict: Verdict;
}

const IN_MESSAGE_ID = /^<?([\w-]+)(?:@[^@>]*)?>?$/;

/** News of the first text that is a reference, alone or as the left half of a `Message-ID`; none where there is none. */
export function newsOf(verdict: Verdict | undefined, texts: readonly unknown[]): News[] {
  if (verdict === undefined) return [];
  for (const text of texts) {
    const reference = typeof text === 'string' && decodeReference(IN_MESSAGE_ID.exec(text)?.[1] ?? '');
    if (reference) return [{ reference, verdict }];
  }
  return [];
}
