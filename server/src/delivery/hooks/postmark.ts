import { createHash, timingSafeEqual } from 'node:crypto';
import { lookInto, parseJson } from './look-into.ts';
import { newsOf, type Verdict } from './news.ts';
import type { Provider } from './provider.ts';

/**
 * Types of https://postmarkapp.com/developer/api/bounce-api#bounce-types. Not here: what Postmark goes on trying
 * (`Transient`, `DnsError`), and answers of people and their programs to a message that arrived (`AutoResponder`,
 * `AddressChange`, `ChallengeVerification`, `Subscribe`, `Unsubscribe`).
 */
const bounces = new Map<unknown, Verdict>([
  ['HardBounce', { reason: 'hard bounce' }],
  ['SoftBounce', { reason: 'mailbox full or closed' }],
  ['BadEmailAddress', { reason: 'invalid address' }],
  ['Blocked', { reason: 'blocked' }],
  ['DMARCPolicy', { reason: 'blocked' }],
  ['ManuallyDeactivated', { reason: 'blocked' }],
  ['Unconfirmed', { reason: 'blocked' }],
  ['SpamNotification', { reason: 'complaint' }],
  ['SpamComplaint', { reason: 'complaint' }],
  ['VirusNotification', { reason: 'content refused' }],
  ['SMTPApiError', { reason: 'refused by the provider' }],
  ['Unknown', { reason: 'bounced', unlessDelivered: true }],
]);

/** Postmark signs nothing: it sends user and password with each call (HTTP Basic). */
export function postmark(password: string | undefined): Provider {
  const expected = password === undefined ? undefined : digest(Buffer.from(`postmark:${password}`));
  return {
    name: 'Postmark',
    setting: 'POSTMARK_WEBHOOK_PASSWORD',
    canBeProven: ({ authorization }) => expected !== undefined && credentials(authorization) !== undefined,
    async read({ headers, body }) {
      const shown = credentials(headers.authorization);
      // Digests, because they are of one length whatever was sent.
      if (expected === undefined || shown === undefined || !timingSafeEqual(digest(shown), expected)) return undefined;
      const event = parseJson(body);
      return newsOf(verdictOf(event), [lookInto(event, 'Metadata', 'delivery')]);
    },
  };
}

function verdictOf(event: unknown): Verdict | undefined {
  switch (lookInto(event, 'RecordType')) {
    case 'Delivery':
      return 'delivered';
    case 'SpamComplaint':
      return { reason: 'complaint' };
    case 'Bounce':
      return bounces.get(lookInto(event, 'Type'));
    default:
      return undefined;
  }
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

function credentials(authorization: string | undefined): Buffer | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '')?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
}
