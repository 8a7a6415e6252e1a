import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { TSchema } from 'typebox';
import { buildSerializer } from '../api/serialize.ts';
import { createBodyValidators } from '../api/validate.ts';
import type { KeyRing } from '../authentication/authenticate.ts';
import { createIdentification } from '../authentication/identify.ts';
import { QueueFull, WaitedTooLong } from '../base/batch.ts';
import { encodeId } from '../base/ids.ts';
import { OutcomeUnknown } from '../base/outcome-unknown.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { addressBucket, type Limiter, type RateLimitState } from '../rate-limits/rate-limit.ts';
import { createAdmission } from './admission.ts';
import { boundConnections } from './bound-connections.ts';
import { createDeparture } from './departure.ts';
import { asBestowError, isAnsweredAsIs, sendError } from './error-reply.ts';
import { createRawSocketAnswers } from './malformed-requests.ts';
import { turnAway } from './overload.ts';
import { BODY_LIMIT_BYTES, breakOff, drain, hasBody, readBody } from './read-body.ts';
import { latestRequest } from './request-context.ts';
import { traceRequests } from './trace-requests.ts';
import { collectAllowedMethods } from './unknown-route.ts';

const MAX_HEADER_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 8_000;
// Each check cuts at once whatever has become late. With one a second 2,000 slow clients were cut hundreds together, and
// the p99 of others went from 4 to 42 ms; with ten it goes to 9 to 13 (`npm run fuzz -- --only slow`).
const TIMEOUT_CHECK_MS = 100;
const KEEP_ALIVE_MS = 65_000;

/**
 * What every answer carries unless its route says otherwise; pages set a policy of their own. In lower case, as Fastify
 * writes all names: it would make each anew for each answer.
 */
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const secureHeaders = { ...securityHeaders, 'strict-transport-security': 'max-age=31536000' };

/**
 * What every request passes, in the order of decisions («Order of checks»): request id, unknown paths, rate limits,
 * authentication, body, validation, and at the end the error's answer and the log's line. It knows HTTP and no gifts.
 */
export function createDoor(deps: Deps, keys: KeyRing, schemas: readonly TSchema[]): FastifyInstance {
  const { config, log, ids, meter, publicUrl } = deps;
  const { perAddress } = deps.rateLimits;
  const nextRequestId = () => encodeId('req', ids.next());
  const headersOf = (state: RateLimitState) => ({
    ...(publicUrl().startsWith('https:') ? secureHeaders : securityHeaders),
    ...state.headers,
  });
  const early = {
    nextRequestId,
    publicUrl,
    headers: ({ remoteAddress }: Socket) => headersOf(perAddress.look(addressBucket(remoteAddress))),
  };
  const rawSocket = createRawSocketAnswers(early);
  const admission = createAdmission();

  const app = Fastify({
    logger: false,
    schemaController: { compilersFactory: { buildSerializer } },
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestIdHeader: false,
    // A longer parameter is an unknown id like any other, and the headers' limit bounds it.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Connections without a request under way end at once when the service stops; the others are answered first.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => rawSocket.onClientError(error, socket as Socket),
    frameworkErrors: (error, request, reply) => {
      begin(request);
      reply.headers(headersOf(perAddress.look(addressBucket(request.ip)))).header('request-id', request.requestId);
      sendError(request, reply, asBestowError(error, log, request.requestId), publicUrl());
    },
  });
  turnAway(app, { ...early, log, meter, isFull: admission.isFull });
  rawSocket.listen(app.server);
  boundConnections(app.server);
  if (deps.tracer !== undefined) traceRequests(app, deps.tracer);
  const allowedMethods = collectAllowedMethods(app);
  const leaveTogether = createDeparture(app, log);

  /** A request is over once, also where an error takes the place of an answer that has begun. */
  function end(request: FastifyRequest): boolean {
    const { isUnderWay } = request;
    if (isUnderWay) admission.leave();
    request.isUnderWay = false;
    return isUnderWay;
  }

  function report(request: FastifyRequest, reply: FastifyReply): void {
    const durationMs = performance.now() - request.startedAtMs;
    const { method, routePattern: route, errorCode: code } = request;
    meter.request({ method, route, status: reply.statusCode, code, durationMs });
    if (!isProbe(request) || reply.statusCode !== 200) log.info(lineOf(request, reply, durationMs), 'request');
  }

  function begin(request: FastifyRequest): void {
    request.requestId = nextRequestId();
    // Once: Fastify makes the whole object anew for each look.
    const { config: routeConfig, url } = request.routeOptions;
    request.routeConfig = routeConfig;
    request.routePattern = url;
    request.startedAtMs = performance.now();
    latestRequest.note(request.raw);
  }

  app.decorateRequest('requestId', '');
  app.decorateRequest('routeConfig', null as unknown as FastifyContextConfig);
  app.decorateRequest('routePattern', undefined);
  app.decorateRequest('isUnderWay', false);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('keyOwner', undefined);
  app.decorateRequest('errorCode', undefined);
  app.decorateRequest('error', undefined);
  app.decorateRequest('startedAtMs', 0);

  const showLimit = (reply: FastifyReply, state: RateLimitState) =>
    reply.headers(publicUrl().startsWith('https:') ? secureHeaders : securityHeaders).headers(state.headers);

  /** A promise only where the limits are shared with other processes. */
  function takeFrom(limiter: Limiter, bucket: string, reply: FastifyReply): void | Promise<void> {
    const taken = limiter.take(bucket);
    return taken instanceof Promise ? taken.then((state) => admit(state, reply)) : admit(taken, reply);
  }

  function admit(state: RateLimitState, reply: FastifyReply): void {
    showLimit(reply, state);
    if (!state.isAllowed) throw new BestowError('rate_limit_exceeded', { retryAfterSeconds: state.retryAfterSeconds });
  }

  /** Refusals that need no look at who asks. */
  function refuse(request: FastifyRequest, reply: FastifyReply): void {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new BestowError('request_body_invalid', { message: 'The Host header is missing.' });
    // The router takes a slash at the end for an empty id.
    if (request.is404 || hasEmptyParameter(request)) {
      const [path = ''] = request.raw.url?.split('?', 1) ?? [];
      const allowed = allowedMethods(path);
      if (allowed !== undefined) reply.header('Allow', allowed);
      throw new BestowError('resource_missing');
    }
  }

  const identification = createIdentification(deps, keys, { takeFrom, showLimit, hasBody, breakOff });
  app.decorateRequest('isKeyRecalled', false);
  app.decorateRequest('withProvenKey', function (this: FastifyRequest, reply, act) {
    return identification.withProvenKey(this, reply, act);
  } as FastifyRequest['withProvenKey']);

  // Callbacks, here and below, and no promise for each hook of each request.
  app.addHook('onRequest', (request, reply, done) => {
    begin(request);
    admission.enter();
    request.isUnderWay = true;
    reply.header('request-id', request.requestId);
    // Whatever the content type says or leaves out, the body decides.
    if (request.headers['content-type'] !== undefined) request.raw.headers['content-type'] = 'application/json';
    const { access = 'public' } = request.routeConfig;
    try {
      refuse(request, reply);
    } catch (error) {
      showLimit(reply, perAddress.look(addressBucket(request.ip)));
      done(error as Error);
      return;
    }
    if (request.routeConfig.isProbe) {
      showLimit(reply, perAddress.look(addressBucket(request.ip)));
      done();
      return;
    }
    if (access !== 'public') {
      identification.identify(request, reply).then(() => done(), done);
      return;
    }
    try {
      const taken = takeFrom(perAddress, addressBucket(request.ip), reply);
      if (taken !== undefined) {
        taken.then(() => done(), done);
        return;
      }
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  });

  // Fastify reads no body of a GET; one over the limit is refused all the same, and the rest ignored.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw } = request;
    const comesWithBody = hasBody(raw);
    if (comesWithBody) identification.watchBody(request, reply);
    if (!comesWithBody || (raw.method !== 'GET' && raw.method !== 'HEAD')) done();
    else readBody(raw, 'ignored').then(() => done(), done);
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) => {
    const body = readBody(payload, request.routeConfig.body ?? 'ignored');
    // Most came with their headers.
    return payload.complete ? body : admission.whileReading(body);
  });

  app.addHook('preValidation', (request, _reply, done) => {
    const { body: use } = request.routeConfig;
    // Fastify would show the validator a null in its place, and JSON's null is not the same as no body.
    if (request.body === undefined && use === 'optional') request.body = {};
    if (request.body === undefined && use === 'required')
      done(new BestowError('request_body_invalid', { message: 'This operation needs a body: a JSON object.' }));
    else done();
  });

  const bodyValidator = createBodyValidators(schemas);
  app.setValidatorCompiler(({ schema, httpPart }) => {
    // Paths, queries and headers are parsed by their routes; their schemas are for the document.
    if (httpPart !== 'body') return () => true;
    const validate = bodyValidator(schema as object);
    return (body: unknown) => {
      const error = validate(body);
      return error === undefined ? { value: body } : { error };
    };
  });

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (error instanceof OutcomeUnknown) {
      end(request);
      const level = error.isSteered ? 'info' : 'error';
      log[level]({ err: error, request_id: request.requestId }, 'Closed a connection without an answer.');
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
    const isLate = error instanceof WaitedTooLong && admission.isBusy();
    const bestowError = asBestowError(isLate ? new QueueFull() : error, log, request.requestId);
    // Fastify would close the connection on a body's error; a client that still writes would lose its answer with it.
    if (reply.raw.shouldKeepAlive) reply.removeHeader('Connection');
    if (bestowError.code === 'request_body_too_large') drain(request.raw);
    return sendError(request, reply, bestowError, publicUrl());
  }

  app.setErrorHandler((error, request, reply) => {
    if (!request.isKeyRecalled || !isAnsweredAsIs(error)) return answerError(error, request, reply);
    // A key that does not hold any more is told so before anything else.
    return identification.lookUpKey(request, reply).then(
      () => answerError(error, request, reply),
      (refusal: unknown) => answerError(refusal, request, reply),
    );
  });

  // Not once the answer is through: a client that hangs up meanwhile never takes it, but the work is done.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (end(request)) report(request, reply);
    leaveTogether({ request, reply, send: done });
  });

  return app;
}

function hasEmptyParameter({ params }: FastifyRequest): boolean {
  for (const name in params as Record<string, string>) if ((params as Record<string, string>)[name] === '') return true;
  return false;
}

/** A load balancer asks every second or two whether the process lives; as long as it does, that is no news. */
const isProbe = ({ routePattern, routeConfig }: FastifyRequest) =>
  routePattern === '/v1/health' || routeConfig.isProbe === true;

const lineOf = (request: FastifyRequest, reply: FastifyReply, durationMs: number) => ({
  request_id: request.requestId,
  method: request.method,
  // The pattern, never the URL: ids and tokens stay out of the log.
  route: request.routePattern,
  status: reply.statusCode,
  code: request.errorCode,
  key_id: request.keyOwner && encodeId('key', request.keyOwner.key_id),
  duration_ms: Math.round(durationMs * 10) / 10,
});
