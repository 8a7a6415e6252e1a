import type { FastifyInstance } from 'fastify';
import { BestowError } from '../../../platform/base/errors.ts';
import { addressBucket, RateLimiter } from '../../../platform/rate-limits/rate-limit.ts';
import type { Deps } from '../../deps.ts';
import { postmark } from './postmark.ts';
import type { Provider } from './provider.ts';
import { recordEvents } from './record-events.ts';

/**
 * Limits unverified calls per address, below the limit of all public routes. Bounds guesses of Postmark's password and
 * the cost of refusals: 3.4 ms for a SendGrid signature, a download for Amazon's.
 */
const REFUSALS = { perSecond: 20, burst: 200 };

/** Refuses every call of a provider that is not configured, without loading its library. */
const notConfigured = (name: string, setting: string): Provider => ({
  name,
  setting,
  hasCredentials: () => false,
  read: async () => undefined,
});

/** Webhooks for providers' delivery events. */
export async function hookRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { sesTopicArn, sendgridPublicKey, postmarkPassword } = deps.config.hooks;
  const authToken = deps.config.twilio?.authToken;
  const refusals = new RateLimiter('refusals', REFUSALS, deps.clock);
  const providers: Record<string, Provider> = {
    '/hooks/email/ses':
      sesTopicArn === undefined
        ? notConfigured('Amazon SNS', 'SES_TOPIC_ARN')
        : (await import('./ses.ts')).ses(sesTopicArn, deps.log),
    '/hooks/email/sendgrid':
      sendgridPublicKey === undefined
        ? notConfigured('SendGrid', 'SENDGRID_WEBHOOK_PUBLIC_KEY')
        : (await import('./sendgrid.ts')).sendgrid(sendgridPublicKey),
    '/hooks/email/postmark': postmark(postmarkPassword),
    '/hooks/sms/twilio':
      authToken === undefined
        ? notConfigured('Twilio', 'TWILIO_AUTH_TOKEN')
        : (await import('./twilio.ts')).twilio(authToken, deps.publicUrl),
  };
  for (const [path, provider] of Object.entries(providers))
    app.post(
      path,
      {
        config: { access: 'public', body: 'raw' },
        onRequest: async ({ headers, ip }) => {
          if (!provider.hasCredentials(headers)) throw notVerified(provider);
          const { isAllowed, retryAfterSeconds } = refusals.look(addressBucket(ip));
          if (!isAllowed) throw new BestowError('rate_limit_exceeded', { retryAfterSeconds });
        },
      },
      async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : '';
        const { headers, raw, requestId } = request;
        const events = await provider.read({ headers, url: raw.url ?? '', body, requestId });
        if (events === undefined) {
          refusals.take(addressBucket(request.ip));
          throw notVerified(provider);
        }
        // Providers retry every status but 200 for hours; an error here answers 500, so that they do.
        await recordEvents(deps, events);
        return reply.send();
      },
    );
}

/** The closest 401 in the catalogue. */
const notVerified = ({ name, setting }: Provider) =>
  new BestowError('api_key_invalid', {
    message: `This call could not be verified as ${name}’s. Check ${setting} and the webhook URL in ${name}.`,
  });
