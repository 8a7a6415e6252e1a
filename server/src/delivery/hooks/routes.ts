import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { BestowError } from '../../errors.ts';
import { addressBucket, RateLimiter } from '../../rate-limits/rate-limit.ts';
import { postmark } from './postmark.ts';
import type { Provider } from './provider.ts';
import { recordNews } from './record-news.ts';

/**
 * Calls of one address that may fail to prove whose they are, below the limit of all public routes: it bounds the guessing
 * of Postmark's password, and the work of refusing (3.4 ms for one of SendGrid's signatures, a download for Amazon's).
 */
const REFUSALS = { perSecond: 20, burst: 200 };

/** Refuses every call; what would prove one is not set, so the provider's library is not even loaded. */
const unproven = (name: string, setting: string): Provider => ({
  name,
  setting,
  canBeProven: () => false,
  read: async () => undefined,
});

/** Where providers tell what became of a message. */
export async function hookRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { sesTopicArn, sendgridPublicKey, postmarkPassword } = deps.config.hooks;
  const authToken = deps.config.twilio?.authToken;
  const refusals = new RateLimiter('refusals', REFUSALS, deps.clock);
  const providers: Record<string, Provider> = {
    '/hooks/email/ses':
      sesTopicArn === undefined
        ? unproven('Amazon SNS', 'SES_TOPIC_ARN')
        : (await import('./ses.ts')).ses(sesTopicArn, deps.log),
    '/hooks/email/sendgrid':
      sendgridPublicKey === undefined
        ? unproven('SendGrid', 'SENDGRID_WEBHOOK_PUBLIC_KEY')
        : (await import('./sendgrid.ts')).sendgrid(sendgridPublicKey),
    '/hooks/email/postmark': postmark(postmarkPassword),
    '/hooks/sms/twilio':
      authToken === undefined
        ? unproven('Twilio', 'TWILIO_AUTH_TOKEN')
        : (await import('./twilio.ts')).twilio(authToken, deps.publicUrl),
  };
  for (const [path, provider] of Object.entries(providers))
    app.post(
      path,
      {
        config: { access: 'public', body: 'raw' },
        onRequest: async ({ headers, ip }) => {
          if (!provider.canBeProven(headers)) throw notProven(provider);
          const { isAllowed, retryAfterSeconds } = refusals.look(addressBucket(ip));
          if (!isAllowed) throw new BestowError('rate_limit_exceeded', { retryAfterSeconds });
        },
      },
      async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : '';
        const { headers, raw, requestId } = request;
        const news = await provider.read({ headers, url: raw.url ?? '', body, requestId });
        if (news === undefined) {
          refusals.take(addressBucket(request.ip));
          throw notProven(provider);
        }
        // An error is answered with 500, and providers call again; anything else must be 200, or they do so for hours.
        await recordNews(deps, news);
        return reply.send();
      },
    );
}

/** The catalogue is closed, and of its 401s this one says what is so: what was shown to prove the caller is not known. */
const notProven = ({ name, setting }: Provider) =>
  new BestowError('api_key_invalid', {
    message: `This call does not prove that it comes from ${name}. Check ${setting} and the address that ${name} calls.`,
  });
