// Import this file only: the whole package takes 80 ms and 30 MB to load.
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { storable } from '../../../platform/base/storable.ts';
import { twilioAccountFaults, twilioRefusals } from '../../../platform/messaging/twilio-refusals.ts';
import { eventsFor, type Verdict } from './delivery-event.ts';
import type { Provider } from './provider.ts';

/** Left out: messages in progress (`accepted`, `queued`, `sending`, `sent`). */
const verdicts = new Map<string | null, 'delivered' | 'failed'>([
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'failed'],
  ['failed', 'failed'],
]);

/** A status callback has about 1,000. Twilio's check sorts and joins the fields six times before it rejects a signature. */
const MAX_CHARACTERS = 16_384;

/** Status callbacks of messages, signed over the callback URL and the form fields. */
export function twilio(authToken: string, publicUrl: () => string): Provider {
  return {
    name: 'Twilio',
    setting: 'TWILIO_AUTH_TOKEN',
    hasCredentials: (headers) => headers['x-twilio-signature'] !== undefined,
    async read({ headers, url, body }) {
      const signature = headers['x-twilio-signature'];
      if (typeof signature !== 'string' || body.length > MAX_CHARACTERS) return undefined;
      const form = new URLSearchParams(body);
      if (!isSigned(authToken, signature, publicUrl() + url, form)) return undefined;
      const [, query] = url.split('?', 2);
      return eventsFor(verdictOf(form), [new URLSearchParams(query).get('delivery')]);
    },
  };
}

function verdictOf(form: URLSearchParams): Verdict | undefined {
  const verdict = verdicts.get(form.get('MessageStatus') ?? form.get('SmsStatus'));
  if (verdict !== 'failed') return verdict;
  const code = form.get('ErrorCode') ?? '';
  if (!/^\d{5,6}$/.test(code)) return { reason: 'not delivered' };
  const accountReason = twilioAccountFaults[Number(code)];
  if (accountReason !== undefined)
    return {
      accountReason: `Twilio refused the message after accepting it (error ${code}): ${accountReason}`,
      providerId: storable(form.get('MessageSid') ?? form.get('SmsSid') ?? ''),
    };
  return { reason: twilioRefusals[Number(code)] ?? `not delivered (Twilio’s error ${code})` };
}

function isSigned(authToken: string, signature: string, url: string, form: URLSearchParams): boolean {
  const fields = new Map<string, string[]>();
  for (const [name, value] of form) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  try {
    return validateRequest(authToken, signature, url, Object.fromEntries(fields));
  } catch {
    // Malformed URL.
    return false;
  }
}
