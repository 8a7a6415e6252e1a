import type { FastifyReply } from 'fastify';
import { encodeId } from '../base/ids.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { addressBucket, type Limiter, type RateLimitState } from '../rate-limits/rate-limit.ts';

/** Routes may replace these headers; pages set their own policy. In lower case, which Fastify needs not convert. */
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const httpsHeaders = { ...securityHeaders, 'strict-transport-security': 'max-age=31536000' };

/** Makes the headers that every answer has: its id, the security headers and the state of a rate limit. */
export function createAnswerHeaders({ ids, publicUrl, rateLimits: { perAddress } }: Deps) {
  const security = () => (publicUrl().startsWith('https:') ? httpsHeaders : securityHeaders);
  const showLimit = (reply: FastifyReply, { headers }: RateLimitState) => reply.headers(security()).headers(headers);

  function admit(state: RateLimitState, reply: FastifyReply): undefined {
    showLimit(reply, state);
    if (!state.isAllowed) throw new BestowError('rate_limit_exceeded', { retryAfterSeconds: state.retryAfterSeconds });
  }

  return {
    publicUrl,
    nextRequestId: () => encodeId('req', ids.next()),
    /** With the limit of the client's address, from which nothing is taken. */
    forAddress: (address: string | undefined) => ({
      ...security(),
      ...perAddress.look(addressBucket(address)).headers,
    }),
    showLimit,
    /**
     * Takes one request from the bucket and sets the headers. Returns a promise if the limit is shared with other processes.
     *
     * @throws BestowError `rate_limit_exceeded`
     */
    takeFrom(limiter: Limiter, bucket: string, reply: FastifyReply): Promise<void> | undefined {
      const taken = limiter.take(bucket);
      return taken instanceof Promise ? taken.then((state) => admit(state, reply)) : admit(taken, reply);
    },
  };
}

export type AnswerHeaders = ReturnType<typeof createAnswerHeaders>;
