import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Identification } from '../authentication/identify.ts';
import { BestowError } from '../base/errors.ts';
import { encodeId } from '../base/ids.ts';
import type { PlatformDeps } from '../deps.ts';
import { addressBucket, type RateLimiter, type RateLimitState } from '../rate-limits/rate-limit.ts';
import { createClientAddress } from './client-address.ts';
import { databaseUnavailable } from './error-reply.ts';
import { collectAllowedMethods } from './unknown-route.ts';

interface HookDeps extends Pick<PlatformDeps, 'rateLimits' | 'meter' | 'log' | 'clockWatch'> {
  answers: AnswerHeaders;
  requests: RequestCounter;
  identification: Identification;
}

/** Adds what happens before the body is read and when the answer leaves. */
export function addHooks(app: FastifyInstance, deps: HookDeps): void {
  const { answers, requests, identification, meter, clockWatch } = deps;
  const { perAddress } = deps.rateLimits;
  const refuseUnknown = createUnknownRefusal(app);

  decorateRequests(app);
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') meter.route(one, url);
  });

  // A callback: a promise for each request costs a tenth of a health check.
  app.addHook('onRequest', (request, reply, done) => {
    beginRequest(request, reply, answers);
    // The body decides, not its content type.
    if (request.headers['content-type'] !== undefined) request.raw.headers['content-type'] = 'application/json';
    try {
      requests.enter(request);
      if (!clockWatch.isTrusted() && !isHealthCheck(request)) throw databaseUnavailable();
      refuseUnknown(request, reply);
    } catch (error) {
      reply.headers(answers.forAddress(request.ip));
      done(error as Error);
      return;
    }
    try {
      const waiting = admit(request, reply);
      if (waiting === undefined) done();
      else waiting.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  });

  /** Checks the key or takes from the address's limit. @throws BestowError */
  function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const { access = 'public' } = request.routeConfig;
    if (access !== 'public') return identification.identify(request, reply);
    if (isHealthCheck(request)) reply.headers(answers.forAddress(request.ip));
    else answers.takeFrom(perAddress, addressBucket(request.ip), reply);
    return undefined;
  }

  // When the answer leaves, and not once it has arrived: a client that hangs up never receives it, but the work is done.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (requests.leave(request)) reportRequest(deps, request, reply.statusCode);
    // A connection that stays open for another request would delay a stop.
    if (!app.server.listening) reply.header('connection', 'close');
    done();
  });
}

/** Counts and logs the request. @param status `closed` if its connection was closed without an answer */
export function reportRequest(
  { log, meter }: Pick<PlatformDeps, 'log' | 'meter'>,
  request: FastifyRequest,
  status: number | 'closed',
): void {
  const durationMs = performance.now() - request.startedAtMs;
  const { method, routePattern: route, errorCode: code } = request;
  meter.request({ method, route, status, code, durationMs });
  // Load balancers ask every second or two.
  if (!isHealthCheck(request) || status !== 200) log.info(logLine(request, status, durationMs), 'request');
}

/** Declares the request's fields, so that all requests have one shape. */
function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('requestId', '');
  app.decorateRequest('routeConfig', null as unknown as FastifyContextConfig);
  app.decorateRequest('routePattern', undefined);
  app.decorateRequest('isUnderWay', false);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('errorCode', undefined);
  app.decorateRequest('error', undefined);
  app.decorateRequest('agentCall', undefined);
  app.decorateRequest('startedAtMs', 0);
}

/** Sets the request's own fields, its client's address and the answer's id. */
export function beginRequest(request: FastifyRequest, reply: FastifyReply, answers: AnswerHeaders): void {
  const { raw } = request;
  answers.latestResponse.set(raw.socket, reply.raw);
  // Node ignores the upgrade and all that follows it, so the connection must close.
  if (raw.headers.upgrade !== undefined && /upgrade/i.test(raw.headers.connection ?? ''))
    reply.raw.shouldKeepAlive = false;
  request.requestId = answers.nextRequestId();
  Object.defineProperty(request, 'ip', { value: answers.clientAddress(raw) });
  // Read once: Fastify makes the object again for each access.
  const { config, url } = request.routeOptions;
  request.routeConfig = config;
  request.routePattern = url;
  request.startedAtMs = performance.now();
  reply.header('request-id', request.requestId);
}

/** Refuses requests that no route can answer, or with an unknown `Expect`. */
function createUnknownRefusal(app: FastifyInstance) {
  const allowedMethods = collectAllowedMethods(app);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const { host, expect } = request.headers;
    if (host === undefined && request.raw.httpVersion === '1.1')
      throw new BestowError('request_body_invalid', { message: 'The Host header is missing.' });
    refuseTwice(request.raw.rawHeaders);
    if (expect !== undefined && !/\b100-continue\b/i.test(expect))
      throw new BestowError('request_body_invalid', { message: 'The value of the Expect header is not supported.' });
    // The router takes a slash at the end for an empty parameter.
    if (!request.is404 && !hasEmptyParameter(request)) return;
    const [path = ''] = request.raw.url?.split('?', 1) ?? [];
    const allowed = allowedMethods(path);
    if (allowed !== undefined) reply.header('Allow', allowed);
    throw new BestowError('resource_missing');
  };
}

/** Node takes the first of two, and a proxy may have added or checked the other. @throws BestowError `request_body_invalid` */
function refuseTwice(rawHeaders: readonly string[]): void {
  let hosts = 0;
  let keys = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index] ?? '';
    if (length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
    else if (length === 13 && rawHeaders[index]?.toLowerCase() === 'authorization') keys += 1;
  }
  if (hosts <= 1 && keys <= 1) return;
  const name = hosts > 1 ? 'Host' : 'Authorization';
  throw new BestowError('request_body_invalid', { message: `The ${name} header stands twice.` });
}

const hasEmptyParameter = ({ params }: FastifyRequest) => Object.values(params as Record<string, string>).includes('');

const logLine = (request: FastifyRequest, status: number | 'closed', durationMs: number) => ({
  request_id: request.requestId,
  method: request.method,
  // The pattern, never the URL: ids and tokens stay out of the log.
  route: request.routePattern,
  status,
  code: request.errorCode,
  key_id: request.caller?.found?.key_id && encodeId('key', request.caller.found.key_id),
  duration_ms: Math.round(durationMs * 10) / 10,
});

/** Routes may replace these headers; pages set their own policy. In lower case, which Fastify needs not convert. */
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const httpsHeaders = { ...securityHeaders, 'strict-transport-security': 'max-age=31536000' };

/** Makes the headers that every answer has: its id, the security headers and the state of a rate limit. */
export function createAnswerHeaders({ config, ids, log, publicUrl, rateLimits: { perAddress } }: PlatformDeps) {
  const security = config.publicUrl?.startsWith('https:') ? httpsHeaders : securityHeaders;

  function admit({ headers, isAllowed, retryAfterSeconds }: RateLimitState, reply: FastifyReply): void {
    reply.headers(security).headers(headers);
    if (!isAllowed) throw new BestowError('rate_limit_exceeded', { retryAfterSeconds });
  }

  return {
    publicUrl,
    clientAddress: createClientAddress(config.trustProxy, log),
    /** The response under way on each connection, or its last one. */
    latestResponse: new WeakMap<Socket, ServerResponse>(),
    nextRequestId: () => encodeId('req', ids.next()),
    /** With the limit of the client's address, from which nothing is taken. */
    forAddress: (address: string | undefined) => ({
      ...security,
      ...perAddress.look(addressBucket(address)).headers,
    }),
    /** Takes one request from the bucket and sets the headers. @throws BestowError `rate_limit_exceeded` */
    takeFrom(limiter: RateLimiter, bucket: string, reply: FastifyReply): void {
      admit(limiter.take(bucket), reply);
    },
    /** Takes nothing. @throws BestowError `rate_limit_exceeded` with the headers if the bucket is empty */
    requireLeft(limiter: RateLimiter, bucket: string, reply: FastifyReply): void {
      const state = limiter.look(bucket);
      if (!state.isAllowed) admit(state, reply);
    },
  };
}

type AnswerHeaders = ReturnType<typeof createAnswerHeaders>;

/** A key may send 2,000 requests at once by default. */
const MAX_UNDER_WAY = 2_500;
/** Requests that wait for a stalled database fail within this time. */
const STALL_MS = 10_000;

/** Counts the requests under way, so that the service uses bounded memory and answers soon under overload. */
export function createRequestCounter() {
  let underWay = 0;
  let stalledUntilMs = 0;
  return {
    /** The requests under way probably wait for the database, and are too many for that reason. */
    noteStall(): void {
      stalledUntilMs = performance.now() + STALL_MS;
    },
    /**
     * @throws BestowError `rate_limit_exceeded`, after a stall `internal_error`, if too many requests are under way; never
     *   for a health check
     */
    enter(request: FastifyRequest): void {
      underWay += 1;
      request.isUnderWay = true;
      if (underWay <= MAX_UNDER_WAY || isHealthCheck(request)) return;
      throw performance.now() < stalledUntilMs ? databaseUnavailable() : new BestowError('rate_limit_exceeded');
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

/** Health checks are always answered, not counted against a limit, and logged only if they fail. */
const isHealthCheck = ({ routePattern, routeConfig }: FastifyRequest) =>
  routePattern === '/v1/health' || routeConfig.isProbe === true;
