import { because, type Nothing } from '../../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences } from '../../../platform/audit/record-event.ts';

/** What is recorded of gifts. */
interface GiftActions {
  /** `address` is masked. */
  'gift.redirected': { method: 'email' | 'phone'; address: string };
  'gift.link_replaced': Nothing;
  'gift.resent': Nothing;
  'gift.rescheduled': { send_at: string };
  'gift.canceled': { reason: string | null; refunded_cents: number };
  'gift.held': { reason?: string };
  'gift.released': Nothing;
  /** `issuer`: its kind. */
  'gift.claim_undone': { issuer: string };
  'gift.simulated': { outcome: 'delivered' | 'failed' | 'opened' | 'claimed' | 'spent' };
  'gift.link_shown': Nothing;
  'gifts.exported': Nothing;
}

export const giftSentences: Sentences<GiftActions> = {
  'gift.redirected': ({ address }) => `Sent a gift to ${address}`,
  'gift.link_replaced': () => 'Replaced the link of a gift',
  'gift.resent': () => 'Sent a gift again to its address',
  'gift.rescheduled': ({ send_at }) => `Changed when a gift is sent to ${send_at}`,
  'gift.canceled': ({ reason, refunded_cents }, money) =>
    `Canceled a gift: ${money(refunded_cents)} returned to the balance${because(reason)}`,
  'gift.held': ({ reason }) => `Put a gift on hold${because(reason ?? null)}`,
  'gift.released': () => 'Ended the hold of a gift',
  'gift.claim_undone': ({ issuer }) => `Undid a claim of a gift, because the issuer ${issuer} did not answer`,
  'gift.simulated': ({ outcome }) => `Simulated that a gift was ${outcome === 'failed' ? 'not delivered' : outcome}`,
  'gift.link_shown': () => 'Looked at the link of a gift',
  'gifts.exported': () => 'Exported gifts with their addresses',
};

/** Those with a reason that a person wrote. */
export const giftWithReason: readonly (keyof GiftActions)[] = ['gift.canceled', 'gift.held'];

export const recordEvent: RecordEvent<GiftActions> = recordAction;
