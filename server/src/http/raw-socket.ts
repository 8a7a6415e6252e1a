import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { BestowError } from '../errors.ts';
import { type ErrorAnswer, errorAnswer } from './error-reply.ts';
import { answeredEarly } from './request-context.ts';

interface RawSocketDeps {
  nextRequestId(): string;
  publicUrl(): string;
  /** Headers that every answer carries. */
  headers(socket: Socket): Record<string, string>;
}

/**
 * Answers for HTTP that never becomes a request, where Node would answer in a format of its own and without a
 * `Request-Id`: what its parser refuses, a request that takes too long, `CONNECT`, an unknown `Expect`.
 */
export function createRawSocketAnswers(deps: RawSocketDeps) {
  function answer(socket: Socket, error: BestowError): void {
    if (!socket.writable || answeredEarly.has(socket)) {
      socket.destroy();
      return;
    }
    const requestId = deps.nextRequestId();
    const answer = errorAnswer(error, requestId, deps.publicUrl());
    socket.end(serialize(answer, { ...deps.headers(socket), 'Request-Id': requestId }), () => socket.destroySoon());
  }

  return {
    /** Fastify's `clientErrorHandler`. */
    onClientError(error: Error & { code?: string }, socket: Socket): void {
      const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
      const bestowError = new BestowError(isTooLarge ? 'request_body_too_large' : 'request_body_invalid', {
        message: isTooLarge ? 'The headers are too large.' : describe(error.code),
      });
      // An earlier request of the same connection may still be at work: its answer goes first.
      const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse | null };
      if (underWay && !underWay.writableFinished) underWay.once('finish', () => answer(socket, bestowError));
      else answer(socket, bestowError);
    },
    listen(server: Server): void {
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
