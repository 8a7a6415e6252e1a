import { createHash, timingSafeEqual } from 'node:crypto';
import { getPath, parseJson } from '../../../platform/base/get-path.ts';
import { eventsFor, type Verdict } from './delivery-event.ts';
import type { Provider } from './provider.ts';

/**
 * https://postmarkapp.com/developer/api/bounce-api#bounce-types. Left out: types that Postmark retries (`Transient`,
 * `DnsError`), and replies to a delivered message (`AutoResponder`, `Subscribe` …).
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

/** Postmark does not sign its calls; it sends a user and password (HTTP Basic). */
export function postmark(password: string | undefined): Provider {
  const expected = password === undefined ? undefined : digest(Buffer.from(`postmark:${password}`));
  return {
    name: 'Postmark',
    setting: 'POSTMARK_WEBHOOK_PASSWORD',
    hasCredentials: ({ authorization }) => expected !== undefined && credentials(authorization) !== undefined,
    async read({ headers, body }) {
      const shown = credentials(headers.authorization);
      // timingSafeEqual needs equal lengths, so compare digests.
      if (expected === undefined || shown === undefined || !timingSafeEqual(digest(shown), expected)) return undefined;
      const event = parseJson(body);
      return eventsFor(verdictOf(event), [getPath(event, 'Metadata', 'delivery')]);
    },
  };
}

function verdictOf(event: unknown): Verdict | undefined {
  switch (getPath(event, 'RecordType')) {
    case 'Delivery':
      return 'delivered';
    case 'SpamComplaint':
      return { reason: 'complaint' };
    case 'Bounce':
      return bounces.get(getPath(event, 'Type'));
    default:
      return undefined;
  }
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

function credentials(authorization: string | undefined): Buffer | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization ?? '')?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
}
