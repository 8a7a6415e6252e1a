import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { BestowError } from '../base/errors.ts';
import { plainAddress } from '../base/network.ts';
import { breakOff } from './bodies.ts';
import { errorAnswer } from './error-reply.ts';

interface AnswerDeps {
  latestResponse: WeakMap<Socket, ServerResponse>;
  nextRequestId(): string;
  publicUrl(): string;
  /** Headers that every answer has. */
  forAddress(address: string | undefined): Record<string, string>;
}

/** Node's error; `rawPacket` is what it could not parse. */
interface MalformedRequest {
  code?: string | undefined;
  rawPacket?: unknown;
}

/** A client that still writes may lose its answer if the connection closes at once. */
const LINGER_MS = 2_000;

/** Answers what Fastify never receives: malformed HTTP, late requests and `CONNECT`. Then closes the connection. */
export function createMalformedRequestAnswers({ latestResponse, nextRequestId, publicUrl, forAddress }: AnswerDeps) {
  const broken = new WeakSet<Socket>();

  /** Closes the connection: after the answers under way, or with an answer to this error if there are none. */
  function refuse(socket: Socket, error: BestowError): void {
    const latest = latestResponse.get(socket);
    if (latest === undefined || latest.writableFinished) {
      end(socket, serialize(plainAddress(socket.remoteAddress), error));
      return;
    }
    latest.shouldKeepAlive = false;
    latest.once('finish', () => end(socket));
    // The body of the latest request is malformed, so its own answer says so.
    if (!latest.req.complete) breakOff(latest.req, error);
  }

  function serialize(address: string | undefined, error: BestowError): string {
    const requestId = nextRequestId();
    const { status, headers, body } = errorAnswer(error, requestId, publicUrl());
    const all = {
      ...forAddress(address),
      ...headers,
      'Request-Id': requestId,
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
  }

  return {
    /** Fastify's `clientErrorHandler`. */
    onClientError(error: MalformedRequest, socket: Socket): void {
      // Node reports a malformed connection again with every piece that arrives.
      if (broken.has(socket)) return;
      broken.add(socket);
      // Nothing arrived: a browser's spare connection, or a balancer's check of the port.
      if (socket.bytesRead === 0) socket.destroy();
      else refuse(socket, errorOf(error));
    },
    listen(server: Server): void {
      server.on('connect', (_: IncomingMessage, socket: Socket) => refuse(socket, new BestowError('resource_missing')));
      // Node would answer an unknown `Expect` in another format; a hook refuses the request.
      server.on('checkExpectation', (...request) => server.emit('request', ...request));
    },
  };
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

/** A request line whose method Node does not know. */
const UNKNOWN_METHOD = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/;

function errorOf({ code, rawPacket }: MalformedRequest): BestowError {
  if (code === 'HPE_INVALID_METHOD' && Buffer.isBuffer(rawPacket) && UNKNOWN_METHOD.test(rawPacket.toString('latin1')))
    return new BestowError('resource_missing');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new BestowError('request_body_too_large', { message: 'The headers are too large.' });
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  return new BestowError('request_body_invalid', {
    message: isLate ? 'The request did not arrive in time. Send it without pauses.' : 'The request is not valid HTTP.',
  });
}
