import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { BestowError } from '../errors.ts';
import { type ErrorAnswer, errorAnswer } from './error-reply.ts';
import { breakOff } from './read-body.ts';
import { latestRequest } from './request-context.ts';

interface RawSocketDeps {
  nextRequestId(): string;
  publicUrl(): string;
  /** Headers that every answer carries. */
  headers(socket: Socket): Record<string, string>;
}

/** How long a client that still writes is listened to after its answer; closing at once could take the answer from it. */
const LINGER_MS = 2_000;

/**
 * Answers for HTTP that never becomes a request, where Node would answer in a format of its own and without a
 * `Request-Id`: what its parser refuses, a request that takes too long, `CONNECT`, an unknown `Expect`.
 */
export function createRawSocketAnswers(deps: RawSocketDeps) {
  const broken = new WeakSet<Socket>();

  function answer(socket: Socket, error: BestowError): void {
    const isAnsweredEarly = latestRequest.of(socket)?.complete === false;
    if (!socket.writable || isAnsweredEarly) {
      socket.destroy();
      return;
    }
    const requestId = deps.nextRequestId();
    const answer = errorAnswer(error, requestId, deps.publicUrl());
    end(socket, serialize(answer, { ...deps.headers(socket), 'Request-Id': requestId }));
  }

  function end(socket: Socket, lastWords = ''): void {
    // Node has ended it where the answer before said that it would: to write then is an error, which takes 0.1 ms to make.
    if (socket.writableEnded) return;
    socket.end(lastWords);
    const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(cut));
  }

  /** Answers requests of the same connection that came whole before it broke first: each in its turn. */
  function answerInTurn(socket: Socket, error: BestowError): void {
    const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse | null };
    if (!underWay || underWay.writableFinished) answer(socket, error);
    else if (underWay.req.complete) underWay.once('finish', () => answerInTurn(socket, error));
    else {
      // What broke is the body of this very request, which answers for itself.
      underWay.shouldKeepAlive = false;
      underWay.once('finish', () => end(socket));
      breakOff(underWay.req, error);
    }
  }

  return {
    /** Fastify's `clientErrorHandler`. */
    onClientError(error: Error & { code?: string }, socket: Socket): void {
      // Node reports a broken connection again with every piece that arrives on it.
      if (broken.has(socket)) return;
      broken.add(socket);
      const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
      const bestowError = new BestowError(isTooLarge ? 'request_body_too_large' : 'request_body_invalid', {
        message: isTooLarge ? 'The headers are too large.' : describe(error.code),
      });
      answerInTurn(socket, bestowError);
    },
    listen(server: Server): void {
      // Node ignores the upgrade, and with it what its caller sent behind it; nobody shall wait for answers to that.
      server.prependListener('request', ({ headers }: IncomingMessage, response: ServerResponse) => {
        if (headers.upgrade !== undefined && /upgrade/i.test(headers.connection ?? ''))
          response.shouldKeepAlive = false;
      });
      server.on('connect', (_: IncomingMessage, socket: Socket) => answer(socket, new BestowError('resource_missing')));
      server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
        const requestId = deps.nextRequestId();
        const error = new BestowError('request_body_invalid', {
          message: 'The Expect header asks for something that this service does not do.',
        });
        const { status, headers, body } = errorAnswer(error, requestId, deps.publicUrl());
        const all = { ...deps.headers(request.socket), ...headers, 'Request-Id': requestId };
        response.writeHead(status, { ...all, 'Content-Length': Buffer.byteLength(body) }).end(body);
      });
    },
  };
}

function describe(code: string | undefined): string {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? 'The request did not arrive in time. Send it without pauses.'
    : 'The request is not valid HTTP.';
}

function serialize({ status, headers, body }: ErrorAnswer, more: Record<string, string>): string {
  const all = { ...more, ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
