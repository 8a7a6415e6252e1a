import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { BestowError } from '../errors.ts';
import { breakOff } from './bodies.ts';
import { type ErrorAnswer, errorAnswer } from './error-reply.ts';

interface AnswerDeps {
  nextRequestId(): string;
  publicUrl(): string;
  /** Headers that every answer has. */
  forAddress(address: string | undefined): Record<string, string>;
}

/** A client that still writes may lose its answer if the connection closes at once. */
const LINGER_MS = 2_000;

/**
 * Answers what Fastify never receives, and what Node would answer in another format: malformed HTTP, late requests,
 * `CONNECT` and an unknown `Expect`.
 */
export function createMalformedRequestAnswers({ nextRequestId, publicUrl, forAddress }: AnswerDeps) {
  const broken = new WeakSet<Socket>();
  const latestResponse = new WeakMap<Socket, ServerResponse>();

  function prepare(address: string | undefined, error: BestowError): ErrorAnswer {
    const requestId = nextRequestId();
    const { headers, ...answer } = errorAnswer(error, requestId, publicUrl());
    return { ...answer, headers: { ...forAddress(address), ...headers, 'Request-Id': requestId } };
  }

  /** Answers after the earlier requests of the same connection. */
  function answerLast(socket: Socket, error: BestowError): void {
    const latest = latestResponse.get(socket);
    if (latest === undefined) end(socket, serialize(prepare(socket.remoteAddress, error)));
    else if (latest.req.complete)
      if (latest.writableFinished) end(socket, serialize(prepare(socket.remoteAddress, error)));
      else latest.once('finish', () => answerLast(socket, error));
    // The latest request was answered before its body ended, so another answer would not belong to any request.
    else if (latest.writableFinished) socket.destroy();
    else {
      // The body of the latest request is malformed, so its own answer says so.
      latest.shouldKeepAlive = false;
      latest.once('finish', () => end(socket));
      breakOff(latest.req, error);
    }
  }

  return {
    /** Fastify's `clientErrorHandler`. */
    onClientError(error: Error & { code?: string }, socket: Socket): void {
      // Node reports a malformed connection again with every piece that arrives.
      if (broken.has(socket)) return;
      broken.add(socket);
      if (closeUnused(socket)) return;
      const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
      const code = isTooLarge ? 'request_body_too_large' : 'request_body_invalid';
      answerLast(socket, new BestowError(code, { message: describe(error.code) }));
    },
    listen(server: Server): void {
      server.prependListener('request', ({ headers, socket }: IncomingMessage, response: ServerResponse) => {
        latestResponse.set(socket, response);
        // Node ignores the upgrade and all that follows it, so the connection must close.
        if (headers.upgrade !== undefined && /upgrade/i.test(headers.connection ?? ''))
          response.shouldKeepAlive = false;
      });
      server.on('connect', (_: IncomingMessage, socket: Socket) =>
        answerLast(socket, new BestowError('resource_missing')),
      );
      server.on('checkExpectation', ({ socket }: IncomingMessage, response: ServerResponse) => {
        latestResponse.set(socket, response);
        const message = 'The value of the Expect header is not supported.';
        const { status, headers, body } = prepare(
          socket.remoteAddress,
          new BestowError('request_body_invalid', { message }),
        );
        response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
      });
    },
  };
}

/** Closes a connection on which nothing arrived, such as a browser's spare one or a balancer's check of the port. */
function closeUnused(socket: Socket): boolean {
  if (socket.bytesRead > 0) return false;
  socket.destroy();
  return true;
}

function end(socket: Socket, lastBytes = ''): void {
  // Node has ended the connection if the previous answer said so; another write would be an error.
  if (socket.writableEnded) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(lastBytes);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
}

function describe(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The headers are too large.';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? 'The request did not arrive in time. Send it without pauses.'
    : 'The request is not valid HTTP.';
}

function serialize({ status, headers, body }: ErrorAnswer): string {
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
