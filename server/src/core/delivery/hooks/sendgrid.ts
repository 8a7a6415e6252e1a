import type { IncomingHttpHeaders } from 'node:http';
import { EventWebhook, EventWebhookHeader } from '@sendgrid/eventwebhook';
import { getPath, itemsOf, parseJson, textAt } from '../../../platform/base/get-path.ts';
import { OperatorError } from '../../../platform/base/operator-error.ts';
import { eventsFor, type Verdict } from './delivery-event.ts';
import type { Provider } from './provider.ts';

/** Enhanced status codes (RFC 3463) that are more precise than SendGrid's classes; without the first digit. */
const reasonOfStatus = new Map<string | undefined, string>([
  ['1.1', 'hard bounce'],
  ['1.2', 'invalid address'],
  ['1.3', 'invalid address'],
  ['2.1', 'mailbox full or closed'],
  ['2.2', 'mailbox full'],
  ['2.3', 'message too large'],
  ['3.4', 'message too large'],
]);

/** https://www.twilio.com/docs/sendgrid/ui/analytics-and-reporting/bounce-and-block-classifications */
const reasonOfClassification = new Map<unknown, string>([
  ['Invalid Address', 'hard bounce'],
  ['Mailbox Unavailable', 'mailbox full or closed'],
  ['Content', 'content refused'],
  ['Reputation', 'blocked'],
  ['Frequency or Volume Too High', 'blocked'],
  ['Frequency/Volume', 'blocked'],
  ['Technical', 'unreachable'],
  ['Technical Failure', 'unreachable'],
]);

const reasonOfType = new Map<unknown, string>([
  ['bounce', 'hard bounce'],
  ['blocked', 'blocked'],
  // SendGrid gave up after 72 hours.
  ['expired', 'unreachable'],
]);

/** Why SendGrid did not send a message: the recipient is on one of its suppression lists. */
const reasonOfDrop = new Map<unknown, string>([
  ['Bounced Address', 'hard bounce'],
  ['Invalid', 'invalid address'],
  ['Unsubscribed Address', 'opted out'],
  ['Spam Reporting Address', 'opted out'],
  ['Spam Content', 'content refused'],
]);

const SIGNATURE = EventWebhookHeader.SIGNATURE().toLowerCase();
const TIMESTAMP = EventWebhookHeader.TIMESTAMP().toLowerCase();
/** A P-256 signature has at most 72 bytes, 96 in base64. */
const MAX_SIGNATURE_CHARACTERS = 100;

/**
 * SendGrid's signed event webhook. Old timestamps are accepted: SendGrid retries for 24 hours and does not promise a new
 * timestamp, and a replayed call changes nothing.
 *
 * @throws OperatorError if the key is invalid
 */
export function sendgrid(publicKey: string): Provider {
  const webhook = new EventWebhook();
  const key = readKey(webhook, publicKey);
  return {
    name: 'SendGrid',
    setting: 'SENDGRID_WEBHOOK_PUBLIC_KEY',
    hasCredentials: (headers) => signatureOf(headers) !== undefined,
    async read({ headers, body }) {
      const signed = signatureOf(headers);
      if (signed === undefined) return undefined;
      try {
        if (!webhook.verifySignature(key, body, signed.signature, signed.timestamp)) return undefined;
      } catch {
        // Malformed signature.
        return undefined;
      }
      return itemsOf(parseJson(body)).flatMap((event) =>
        eventsFor(verdictOf(event), [getPath(event, 'delivery'), getPath(event, 'smtp-id')]),
      );
    },
  };
}

function verdictOf(event: unknown): Verdict | undefined {
  // SendGrid retries `deferred`; `processed`, `open`, `click` and subscription events settle nothing.
  switch (getPath(event, 'event')) {
    case 'delivered':
      return 'delivered';
    case 'spamreport':
      return { reason: 'complaint' };
    case 'dropped':
      return { reason: reasonOfDrop.get(getPath(event, 'reason')) ?? 'refused by the provider' };
    case 'bounce':
      return { reason: reasonOfBounce(event) };
    default:
      return undefined;
  }
}

function reasonOfBounce(event: unknown): string {
  const status = /^[45]\.(\d{1,3}\.\d{1,3})$/.exec(textAt(event, 'status'))?.[1];
  return (
    reasonOfStatus.get(status) ??
    reasonOfClassification.get(getPath(event, 'bounce_classification')) ??
    reasonOfType.get(getPath(event, 'type')) ??
    'bounced'
  );
}

function signatureOf(headers: IncomingHttpHeaders): { signature: string; timestamp: string } | undefined {
  const { [SIGNATURE]: signature, [TIMESTAMP]: timestamp } = headers;
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return undefined;
  const isPossible = /^[A-Za-z0-9+/]+=*$/.test(signature) && signature.length <= MAX_SIGNATURE_CHARACTERS;
  return isPossible && /^\d{1,20}$/.test(timestamp) ? { signature, timestamp } : undefined;
}

function readKey(webhook: EventWebhook, publicKey: string) {
  try {
    return webhook.convertPublicKeyToECDSA(publicKey);
  } catch {
    throw new OperatorError(
      'SENDGRID_WEBHOOK_PUBLIC_KEY must be the whole verification key of SendGrid’s event webhook.',
    );
  }
}
