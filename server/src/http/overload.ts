import type { FastifyRequest } from 'fastify';
import { BestowError } from '../errors.ts';
import { isHealthCheck } from './request-context.ts';

/** A key may send 2,000 requests at once by default. */
const MAX_UNDER_WAY = 2_500;

/** Counts the requests under way, so that the service uses bounded memory and answers soon under overload. */
export function createRequestCounter() {
  let underWay = 0;
  return {
    /** @throws BestowError `rate_limit_exceeded` if too many requests are under way; never for a health check */
    enter(request: FastifyRequest): void {
      underWay += 1;
      request.isUnderWay = true;
      if (underWay > MAX_UNDER_WAY && !isHealthCheck(request)) throw new BestowError('rate_limit_exceeded');
    },
    /** Returns false if the request has left before: an error may replace an answer that has begun. */
    leave(request: FastifyRequest): boolean {
      const { isUnderWay } = request;
      if (isUnderWay) underWay -= 1;
      request.isUnderWay = false;
      return isUnderWay;
    },
  };
}

export type RequestCounter = ReturnType<typeof createRequestCounter>;
