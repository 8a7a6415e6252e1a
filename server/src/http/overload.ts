import type { IncomingMessage, RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { isPipelined } from './bound-connections.ts';
import { errorAnswer } from './error-reply.ts';
import { latestRequest } from './request-context.ts';

interface TurnAwayDeps extends Pick<Deps, 'log' | 'meter' | 'publicUrl'> {
  isFull(): boolean;
  nextRequestId(): string;
  /** Headers that every answer carries. */
  headers(socket: IncomingMessage['socket']): Record<string, string>;
}

const CODE = 'rate_limit_exceeded';
const TOLD_EVERY_MS = 1_000;
/** Some 20 ms of work: whoever was refused may ask again at once, and what was taken waits for the end of each turn. */
const REFUSED_EACH_TURN = 500;
/** Some 50 MB, and twenty such turns; beyond them one of each connection. */
const MOST_WAITING = 10_000;

/**
 * Refuses requests before anything else is done with them while the service is full, but for those that ask how it is. An
 * answer costs half of what it costs by way of Fastify, and a line of log comes once a second, so that what was taken goes
 * on. Where very many wait for their refusal, a connection that sends one after another without waiting is closed instead.
 * Call it before any route is added.
 */
export function turnAway(
  app: FastifyInstance,
  { isFull, nextRequestId, headers, publicUrl, ...deps }: TurnAwayDeps,
): void {
  const { server } = app;
  const refusal = new BestowError(CODE);
  const probes = new Set(['/v1/health']);
  const waiting: Parameters<RequestListener>[] = [];
  let refused = 0;
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.isProbe) probes.add(url);
  });

  const isProbe = ({ url = '' }: IncomingMessage) => probes.has(url.split('?', 1)[0] ?? '');

  function tell(): void {
    deps.log.warn({ requests: refused, code: CODE }, 'Refused requests: more came than can be answered.');
    refused = 0;
  }

  function count(): void {
    refused += 1;
    if (refused === 1) setTimeout(tell, TOLD_EVERY_MS).unref();
  }

  const refuse: RequestListener = (request, response) => {
    const requestId = nextRequestId();
    const { status, headers: ofError, body } = errorAnswer(refusal, requestId, publicUrl());
    // As in departure.ts.
    if (!server.listening) response.shouldKeepAlive = false;
    const all = { ...headers(request.socket), ...ofError, 'Request-Id': requestId };
    response.writeHead(status, { ...all, 'Content-Length': Buffer.byteLength(body) }).end(body);
    deps.meter.request({ method: request.method ?? '', route: undefined, status, code: CODE, durationMs: 0 });
    count();
  };

  function refuseSome(): void {
    for (const [request, response] of waiting.splice(0, REFUSED_EACH_TURN)) refuse(request, response);
    if (waiting.length > 0) setImmediate(refuseSome);
  }

  const [handle] = server.listeners('request') as RequestListener[];
  if (handle === undefined) throw new Error('The server has no listener.');
  server.off('request', handle).on('request', (request, response) => {
    if (!isFull() || (!isPipelined(response) && isProbe(request))) handle(request, response);
    else if (isPipelined(response) && waiting.length >= MOST_WAITING) {
      request.socket.destroy();
      count();
    } else {
      latestRequest.note(request);
      if (waiting.push([request, response]) === 1) setImmediate(refuseSome);
    }
  });
}
