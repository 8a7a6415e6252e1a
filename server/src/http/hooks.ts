import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Identification } from '../authentication/identify.ts';
import { encodeId } from '../base/ids.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { addressBucket } from '../rate-limits/rate-limit.ts';
import type { AnswerHeaders } from './answer-headers.ts';
import type { RequestCounter } from './overload.ts';
import { isHealthCheck } from './request-context.ts';
import { collectAllowedMethods } from './unknown-route.ts';

interface HookDeps extends Pick<Deps, 'rateLimits' | 'meter' | 'log'> {
  answers: AnswerHeaders;
  requests: RequestCounter;
  identification: Identification;
}

/** Adds what happens before the body is read and when the answer leaves. */
export function addHooks(app: FastifyInstance, deps: HookDeps): void {
  const { answers, requests, identification, meter, log } = deps;
  const { perAddress } = deps.rateLimits;
  const refuseUnknown = createUnknownRefusal(app);

  decorateRequests(app, identification);

  // A callback: a promise for each request costs a tenth of a health check.
  app.addHook('onRequest', (request, reply, done) => {
    beginRequest(request, reply, answers);
    // The body decides, not its content type.
    if (request.headers['content-type'] !== undefined) request.raw.headers['content-type'] = 'application/json';
    try {
      requests.enter(request);
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
    const { access = 'public', isProbe } = request.routeConfig;
    if (access !== 'public') return identification.identify(request, reply);
    if (!isProbe) return answers.takeFrom(perAddress, addressBucket(request.ip), reply);
    reply.headers(answers.forAddress(request.ip));
    return undefined;
  }

  // When the answer leaves, and not once it has arrived: a client that hangs up never receives it, but the work is done.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (requests.leave(request)) report(request, reply);
    // A connection that stays open for another request would delay a stop.
    if (!app.server.listening) reply.header('connection', 'close');
    done();
  });

  function report(request: FastifyRequest, reply: FastifyReply): void {
    const durationMs = performance.now() - request.startedAtMs;
    const { method, routePattern: route, errorCode: code } = request;
    meter.request({ method, route, status: reply.statusCode, code, durationMs });
    // Load balancers ask every second or two.
    if (!isHealthCheck(request) || reply.statusCode !== 200) log.info(logLine(request, reply, durationMs), 'request');
  }
}

/** Declares the request's fields, so that all requests have one shape. */
function decorateRequests(app: FastifyInstance, identification: Identification): void {
  app.decorateRequest('requestId', '');
  app.decorateRequest('routeConfig', null as unknown as FastifyContextConfig);
  app.decorateRequest('routePattern', undefined);
  app.decorateRequest('isUnderWay', false);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('keyOwner', undefined);
  app.decorateRequest('errorCode', undefined);
  app.decorateRequest('error', undefined);
  app.decorateRequest('startedAtMs', 0);
  app.decorateRequest('isKeyRecalled', false);
  app.decorateRequest('withProvenKey', function (this: FastifyRequest, reply, act) {
    return identification.withProvenKey(this, reply, act);
  } as FastifyRequest['withProvenKey']);
}

/** Sets the request's own fields and the answer's id. */
export function beginRequest(request: FastifyRequest, reply: FastifyReply, { nextRequestId }: AnswerHeaders): void {
  request.requestId = nextRequestId();
  // Read once: Fastify makes the object again for each access.
  const { config, url } = request.routeOptions;
  request.routeConfig = config;
  request.routePattern = url;
  request.startedAtMs = performance.now();
  reply.header('request-id', request.requestId);
}

/** Refuses requests that no route can answer. */
function createUnknownRefusal(app: FastifyInstance) {
  const allowedMethods = collectAllowedMethods(app);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new BestowError('request_body_invalid', { message: 'The Host header is missing.' });
    // The router takes a slash at the end for an empty parameter.
    if (!request.is404 && !hasEmptyParameter(request)) return;
    const [path = ''] = request.raw.url?.split('?', 1) ?? [];
    const allowed = allowedMethods(path);
    if (allowed !== undefined) reply.header('Allow', allowed);
    throw new BestowError('resource_missing');
  };
}

const hasEmptyParameter = ({ params }: FastifyRequest) => Object.values(params as Record<string, string>).includes('');

const logLine = (request: FastifyRequest, reply: FastifyReply, durationMs: number) => ({
  request_id: request.requestId,
  method: request.method,
  // The pattern, never the URL: ids and tokens stay out of the log.
  route: request.routePattern,
  status: reply.statusCode,
  code: request.errorCode,
  key_id: request.keyOwner && encodeId('key', request.keyOwner.key_id),
  duration_ms: Math.round(durationMs * 10) / 10,
});
