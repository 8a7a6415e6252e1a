import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { addressBucket, RateLimiter } from '../../platform/rate-limits/rate-limit.ts';
import type { EventProvider } from './provider.ts';
import { receiveEvent } from './receive-event.ts';

/** Limits calls that could not be verified, per address. */
const REFUSALS = { perSecond: 20, burst: 200 };

/** Webhooks of payment providers: verifies the raw body, keeps it, and answers before any work. */
export function providerEventRoutes(app: FastifyInstance, deps: Deps, providers: readonly EventProvider[]): void {
  const refusals = new RateLimiter('provider-refusals', REFUSALS, deps.clock);
  for (const provider of providers)
    app.post(
      provider.path,
      {
        config: { access: 'public', body: 'raw' },
        onRequest: async ({ ip }) => {
          const { isAllowed, retryAfterSeconds } = refusals.look(addressBucket(ip));
          if (!isAllowed) throw new BestowError('rate_limit_exceeded', { retryAfterSeconds });
        },
      },
      async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : '';
        const verified = provider.verify({ headers: request.headers, body });
        if (verified === undefined) {
          refusals.take(addressBucket(request.ip));
          deps.meter.providerEvent(provider.name, 'refused');
          throw notVerified(provider);
        }
        const { eventId, type, isWanted } = verified;
        // After an error here, the provider sends the event again.
        const isNew = isWanted && (await receiveEvent(deps, { provider: provider.name, eventId, type, body }));
        deps.meter.providerEvent(provider.name, isNew ? 'accepted' : 'repeated');
        return reply.send();
      },
    );
}

const notVerified = ({ title, setting }: EventProvider) =>
  new BestowError('api_key_invalid', {
    message: `This call could not be verified as ${title}’s. Check ${setting} and the webhook URL in ${title}.`,
  });
