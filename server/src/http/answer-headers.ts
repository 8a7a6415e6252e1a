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
  const headersOf = ({ headers }: RateLimitState) => ({
    ...(publicUrl().startsWith('https:') ? httpsHeaders : securityHeaders),
    ...headers,
  });

  function admit(state: RateLimitState, reply: FastifyReply): void {
    reply.headers(headersOf(state));
    if (!state.isAllowed) throw new BestowError('rate_limit_exceeded', { retryAfterSeconds: state.retryAfterSeconds });
  }

  return {
    publicUrl,
    nextRequestId: () => encodeId('req', ids.next()),
    /** With the limit of the client's address, from which nothing is taken. */
    forAddress: (address: string | undefined) => headersOf(perAddress.look(addressBucket(address))),
    showLimit: (reply: FastifyReply, state: RateLimitState) => reply.headers(headersOf(state)),
    /**
     * Takes one request from the bucket and sets the headers. Returns a promise if the limit is shared with other processes.
     *
     * @throws BestowError `rate_limit_exceeded`
     */
    takeFrom(limiter: Limiter, bucket: string, reply: FastifyReply): void | Promise<void> {
      const taken = limiter.take(bucket);
      return taken instanceof Promise ? taken.then((state) => admit(state, reply)) : admit(taken, reply);
    },
  };
}

export type AnswerHeaders = ReturnType<typeof createAnswerHeaders>;
