import { isLoopback } from '../base/loopback.ts';
import { within } from '../base/within.ts';
import type { TwilioConfig } from '../configuration/config.ts';
import type { Channel, SendResult } from './channel.ts';
import { connectionReason, isNeverConnected, plainReason, SendFailure } from './send-failure.ts';
import { twilioAccountFaults, twilioRefusals } from './twilio-refusals.ts';

export const TWILIO_BASE_URL = 'https://api.twilio.com';
const TIMEOUT_MS = 20_000;
/** The queue's concurrency (jobs/tasks.ts), so that no message waits for one that hangs. */
const MAX_SOCKETS = 60;
/** In total; the library's timeout restarts with every byte. */
const SEND_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 1_000_000;
const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;
/** A 200 or 201 without a message id is not from Twilio: nothing was sent. */
const MESSAGE_SID = /^[SM]M[0-9a-f]{32}$/i;

/**
 * Sends text messages with Twilio, which has no idempotency keys: a worker killed before it records Twilio's answer sends
 * the same text and link again. Both callbacks have the same reference.
 *
 * @param publicUrl the base of the callback URL
 */
export async function openTwilioChannel(config: TwilioConfig, publicUrl: () => string): Promise<Channel> {
  const { accountSid, authToken, sender, baseUrl } = config;
  // Imported here, because it takes 60 MB and half a second.
  const { default: twilio } = await import('twilio');

  const httpClient = new twilio.RequestClient({ timeout: TIMEOUT_MS, maxSockets: MAX_SOCKETS });
  httpClient.axios.defaults.maxContentLength = MAX_ANSWER_BYTES;
  if (baseUrl !== undefined)
    httpClient.axios.interceptors.request.use((request) => ({
      ...request,
      url: request.url?.replace(TWILIO_BASE_URL, baseUrl.replace(/\/+$/, '')) ?? baseUrl,
    }));
  const client = twilio(accountSid, authToken, { httpClient });

  /** Twilio refuses messages with an unreachable callback URL; a fake Twilio (`baseUrl`) can reach loopback. */
  function statusCallback(reference: string): { statusCallback?: string } {
    const url = new URL(`${publicUrl()}/hooks/sms/twilio`);
    url.searchParams.set('delivery', reference);
    const canBeReached = url.protocol === 'https:' && !isLoopback(url.hostname);
    return canBeReached || baseUrl !== undefined ? { statusCallback: url.href } : {};
  }

  return {
    name: 'twilio',
    async send({ reference, to, text }) {
      try {
        const sent = await within(
          SEND_TIMEOUT_MS,
          client.messages.create({ to, body: text, ...sender, ...statusCallback(reference) }),
          () => {
            throw new Error(`No answer within ${SEND_TIMEOUT_MS / 1000} seconds.`);
          },
        );
        if (!MESSAGE_SID.test(String(sent.sid))) throw new Error('The answer does not name the message.');
        const code = sent.errorCode ?? 0;
        if (twilioAccountFaults[code] !== undefined)
          throw Object.assign(new Error(twilioAccountFaults[code]), { status: 400, code });
        const reason = twilioRefusals[code];
        return reason === undefined ? { outcome: 'accepted', providerId: sent.sid } : { outcome: 'refused', reason };
      } catch (error) {
        return refusalOf(error, to);
      }
    },
    close: async () => httpClient.axios.defaults.httpsAgent?.destroy(),
  };
}

/** @throws SendFailure if a retry may succeed, also for unknown refusals */
function refusalOf(error: unknown, to: string): SendResult {
  const { code, message, status } = error as { code?: unknown; message?: string; status?: number };
  const reason = status !== undefined && status >= 400 && status < 500 ? twilioRefusals[Number(code)] : undefined;
  if (reason !== undefined) return { outcome: 'refused', reason };
  const answer = status === undefined ? '' : ` (HTTP ${status}${code === undefined ? '' : `, error ${code}`})`;
  throw new SendFailure(
    plainReason(`Twilio did not accept the message${answer}: ${connectionReason(error) ?? message}`, to),
    outcomeOf(code, status),
  );
}

function outcomeOf(code: unknown, status: number | undefined): SendFailure['outcome'] {
  if (status === undefined) return isNeverConnected(String(code)) ? 'unsent' : 'unknown';
  if (status === TOO_MANY_REQUESTS || status === SERVICE_UNAVAILABLE) return 'unsent';
  // With another 5xx, such as a gateway's, Twilio may have accepted the message.
  return status < 500 ? 'account_refused' : 'unknown';
}
