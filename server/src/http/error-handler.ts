import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Identification } from '../authentication/identify.ts';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import type { Deps } from '../deps.ts';
import { asBestowError, isAnsweredAsIs, sendError } from './error-reply.ts';
import type { RequestCounter } from './overload.ts';
import { drain } from './read-body.ts';

interface ErrorDeps extends Pick<Deps, 'log' | 'publicUrl'> {
  requests: RequestCounter;
  identification: Identification;
}

/** Answers every error as the catalogue says (errors.ts). */
export function addErrorHandler(app: FastifyInstance, { log, publicUrl, requests, identification }: ErrorDeps): void {
  app.setErrorHandler((error, request, reply) => {
    if (!request.isKeyRecalled || !isAnsweredAsIs(error)) return answer(error, request, reply);
    // The caller learns first if its key is no longer valid.
    return identification.lookUpKey(request, reply).then(
      () => answer(error, request, reply),
      (refusal: unknown) => answer(refusal, request, reply),
    );
  });

  function answer(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (error instanceof OutcomeUnknown) return closeWithoutAnswer(error, request, reply);
    const bestowError = asBestowError(error, log, request.requestId);
    // Fastify would close the connection after a body's error, and a client that still writes would lose its answer.
    if (reply.raw.shouldKeepAlive) reply.removeHeader('Connection');
    if (bestowError.code === 'request_body_too_large') drain(request.raw);
    return sendError(request, reply, bestowError, publicUrl());
  }

  function closeWithoutAnswer(error: OutcomeUnknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    requests.leave(request);
    const level = error.isSteered ? 'info' : 'error';
    log[level]({ err: error, request_id: request.requestId }, 'Closed a connection without an answer.');
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  }
}
