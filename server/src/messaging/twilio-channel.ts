import { isLoopback } from '../base/loopback.ts';
import { within } from '../base/within.ts';
import type { TwilioConfig } from '../config.ts';
import type { Channel, SendResult } from './channel.ts';
import { isNeverConnected, plainReason, SendFailure } from './send-failure.ts';
import { twilioRefusals } from './twilio-refusals.ts';

export const TWILIO_BASE_URL = 'https://api.twilio.com';
const TIMEOUT_MS = 20_000;
/** As many as the queue takes at a time (jobs/tasks.ts), so that none waits for one that hangs. */
const MAX_SOCKETS = 60;
/** The library's own time-out begins anew with every byte. */
const SEND_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 1_000_000;
const SERVICE_UNAVAILABLE = 503;
/** What Twilio calls a message; whatever else answers in its place with 200 or 201 has sent nothing. */
const MESSAGE_SID = /^[SM]M[0-9a-f]{32}$/i;

/**
 * Text messages by Twilio. Its messages interface knows no idempotency key: a worker that is killed after Twilio's answer
 * and before it is recorded sends the same text, with the same link, a second time. The reference in the address of the
 * news is the same for both.
 *
 * @param publicUrl the address that Twilio tells what became of a message
 */
export async function openTwilioChannel(config: TwilioConfig, publicUrl: () => string): Promise<Channel> {
  const { accountSid, authToken, sender, baseUrl } = config;
  // Loaded only where it is configured: it takes 60 MB and half a second.
  const { default: twilio } = await import('twilio');

  const httpClient = new twilio.RequestClient({ timeout: TIMEOUT_MS, maxSockets: MAX_SOCKETS });
  httpClient.axios.defaults.maxContentLength = MAX_ANSWER_BYTES;
  if (baseUrl !== undefined)
    httpClient.axios.interceptors.request.use((request) => ({
      ...request,
      url: request.url?.replace(TWILIO_BASE_URL, baseUrl.replace(/\/+$/, '')) ?? baseUrl,
    }));
  const client = twilio(accountSid, authToken, { httpClient });

  /** Twilio refuses a message whose address for news it cannot reach; a stand-in for Twilio can. */
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
        const reason = twilioRefusals[sent.errorCode ?? 0];
        return reason === undefined ? { outcome: 'accepted', providerId: sent.sid } : { outcome: 'refused', reason };
      } catch (error) {
        return refusalOf(error, to);
      }
    },
    close: async () => httpClient.axios.defaults.httpsAgent?.destroy(),
  };
}

/** @throws SendFailure where the message may be accepted another time; an unknown refusal is tried for a day too */
function refusalOf(error: unknown, to: string): SendResult {
  const { code, message, status } = error as { code?: unknown; message?: string; status?: number };
  const reason = status !== undefined && status >= 400 && status < 500 ? twilioRefusals[Number(code)] : undefined;
  if (reason !== undefined) return { outcome: 'refused', reason };
  const answer = status === undefined ? '' : ` (HTTP ${status}${code === undefined ? '' : `, error ${code}`})`;
  // Behind another answer of 500 and above, such as a gateway's, the message may have been taken.
  const isUnsent =
    status === undefined ? isNeverConnected(String(code)) : status < 500 || status === SERVICE_UNAVAILABLE;
  throw new SendFailure(
    plainReason(`Twilio did not accept the message${answer}: ${message}`, to),
    isUnsent ? 'unsent' : 'unknown',
  );
}
