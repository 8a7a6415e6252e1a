import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { buildSerializer } from '../api/serialize.ts';
import { createIdentification } from '../authentication/identify.ts';
import type { PlatformDeps } from '../deps.ts';
import { addBodyParser, BODY_LIMIT_BYTES } from './bodies.ts';
import { addErrorHandler } from './error-handler.ts';
import { asBestowError, sendError } from './error-reply.ts';
import { addHooks, beginRequest, createAnswerHeaders, createRequestCounter } from './hooks.ts';
import { limitConnections } from './limit-connections.ts';
import { createMalformedRequestAnswers } from './malformed-requests.ts';
import { traceRequests } from './trace-requests.ts';

const MAX_HEADER_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 8_000;
// Each check closes all late connections at once. One check a second closed hundreds together, and the p99 of other
// requests rose from 4 to 42 ms; ten checks a second keep it at 9 to 13 ms.
const TIMEOUT_CHECK_MS = 100;
const KEEP_ALIVE_MS = 65_000;
/** Closes a connection whose client does not read its answer. */
const INACTIVITY_MS = 60_000;

/** Makes the HTTP server: it receives requests and answers them, and does not know gifts. */
export function createServer(
  deps: PlatformDeps,
  sendMissingPage: (reply: FastifyReply) => FastifyReply,
): FastifyInstance {
  const { log } = deps;
  const answers = createAnswerHeaders(deps);
  const requests = createRequestCounter();
  const malformedRequests = createMalformedRequestAnswers(answers);
  const identification = createIdentification(deps, answers);

  const app = Fastify({
    logger: false,
    schemaController: { compilersFactory: { buildSerializer } },
    bodyLimit: BODY_LIMIT_BYTES,
    requestIdHeader: false,
    // Longer parameters are unknown ids; the headers' limit bounds them.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    connectionTimeout: INACTIVITY_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A stop closes idle connections at once and answers the requests under way first.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => malformedRequests.onClientError(error, socket as Socket),
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      beginRequest(request, reply, answers);
      reply.headers(answers.forAddress(request.ip));
      sendError(request, reply, asBestowError(error, log, request.requestId), answers.publicUrl());
    },
  });
  // A client that ends its side after the request still reads the answer; a connection without a request closes at once.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  malformedRequests.listen(app.server);
  limitConnections(app.server, deps);
  if (deps.tracer !== undefined) traceRequests(app, deps.tracer);
  addHooks(app, { ...deps, answers, requests, identification });
  addBodyParser(app);
  addErrorHandler(app, { ...deps, requests, identification, sendMissingPage });
  return app;
}
