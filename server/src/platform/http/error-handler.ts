import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Identification } from '../authentication/identify.ts';
import { isStall } from '../base/database-stall.ts';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import type { PlatformDeps } from '../deps.ts';
import { drain } from './bodies.ts';
import { asBestowError, isAnsweredAsIs, noteError, sendError } from './error-reply.ts';
import { isFromBrowser } from './from-browser.ts';
import { type RequestCounter, reportRequest } from './hooks.ts';

interface ErrorDeps extends Pick<PlatformDeps, 'log' | 'meter' | 'publicUrl'> {
  requests: RequestCounter;
  identification: Identification;
  sendMissingPage: (reply: FastifyReply) => FastifyReply;
}

/** Answers every error as the catalogue says (errors.ts). */
export function addErrorHandler(
  app: FastifyInstance,
  { log, meter, publicUrl, requests, identification, sendMissingPage }: ErrorDeps,
): void {
  app.setErrorHandler(async (error, request, reply) => {
    const first = isAnsweredAsIs(error) ? await identification.firstError(error, request, reply) : error;
    return answer(first, request, reply);
  });

  function answer(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (error instanceof OutcomeUnknown) return closeWithoutAnswer(error, request, reply);
    if (isStall(error)) requests.noteStall();
    const bestowError = asBestowError(error, log, request.requestId);
    // Fastify would close the connection after a body's error, and a client that still writes would lose its answer.
    if (reply.raw.shouldKeepAlive) reply.removeHeader('Connection');
    drain(request.raw, { closes: !reply.raw.shouldKeepAlive });
    if (bestowError.status === 404 && isFromBrowser(request)) {
      noteError(request, bestowError);
      return sendMissingPage(reply);
    }
    return sendError(request, reply, bestowError, publicUrl());
  }

  function closeWithoutAnswer(error: OutcomeUnknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const isFirst = requests.leave(request);
    if (isFirst && !error.isSteered) {
      request.errorCode = 'outcome_unknown';
      reportRequest({ log, meter }, request, 'closed');
    }
    const level = error.isSteered ? 'info' : 'error';
    log[level]({ err: error, request_id: request.requestId }, 'Closed a connection without an answer.');
    reply.hijack();
    // Also ends a request that a tool of `/mcp` makes in this process.
    reply.raw.destroy();
    return reply;
  }
}
