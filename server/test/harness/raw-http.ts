import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { ErrorReason } from '../../src/platform/base/error-reasons.ts';
import type { ErrorCode } from '../../src/platform/base/errors.ts';
import { type Answer, assertError } from './api-client.ts';
import { HUNG_AFTER_MS, until } from './server-process.ts';

/** A connection below HTTP: sends any bytes and parses answers strictly. */
export interface RawConnection extends Disposable {
  /** Resolves when the kernel has the bytes, or when they can no longer be sent. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Reads the next answer; an answer to HEAD has no body. */
  answer(method?: string): Promise<Answer>;
  /** Resolves when the server has closed the connection. */
  closed: Promise<void>;
  hangUp(): void;
  /** Ends this side, and goes on reading. */
  endWriting(): void;
}

const HUNG = 'hung';

/** Opens a connection to the service at this address. */
export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), allowHalfOpen: true });
  let received = Buffer.alloc(0);
  let hasEnded = false;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // The server may reset the connection after its answer; without an answer, `answer` reports the loss.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true;
      wake();
      resolve();
    };
    socket.on('end', end).on('close', end);
  });
  await once(socket, 'connect');

  async function until(find: () => number): Promise<number> {
    const cut = setTimeout(() => socket.destroy(new Error(HUNG)), HUNG_AFTER_MS);
    try {
      for (;;) {
        const found = find();
        if (found >= 0) return found;
        if (hasEnded) throw lossOf(socket, received);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      clearTimeout(cut);
    }
  }

  async function readAnswer(method: string): Promise<Answer> {
    const headEnd = await until(() => received.indexOf('\r\n\r\n'));
    const { status, headers } = parseHead(received.subarray(0, headEnd).toString('latin1'));
    received = received.subarray(headEnd + 4);
    if (status === 100) return readAnswer(method);
    const length = method === 'HEAD' ? 0 : Number(headers.get('content-length'));
    await until(() => (received.length >= length ? length : -1));
    const text = received.subarray(0, length).toString();
    received = received.subarray(length);
    const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json');
    return { status, headers, body: isJson ? JSON.parse(text) : text };
  }

  return {
    write: (bytes) => writeAll(socket, bytes),
    answer: (method = 'GET') => readAnswer(method),
    closed,
    hangUp: () => socket.destroy(),
    endWriting: () => {
      socket.end();
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}

function lossOf({ errored }: Socket, received: Buffer): Error {
  const what = errored?.message === HUNG ? 'The service hung without' : 'The connection ended without';
  return new Error(`${what} a whole answer: “${received.toString('latin1')}”`);
}

/** @throws if the answer has no status line */
function parseHead(head: string): Pick<Answer, 'status' | 'headers'> {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) [A-Z]/.exec(statusLine)?.[1]);
  assert.ok(status >= 100, `Not a status line: “${statusLine}”`);
  return {
    status,
    headers: new Headers(lines.map((line) => /^([^:]+): (.*)$/.exec(line)?.slice(1) as [string, string])),
  };
}

function writeAll(socket: Socket, bytes: string | Uint8Array): Promise<void> {
  if (!socket.writable) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      socket.off('close', end);
      resolve();
    };
    socket.once('close', end);
    socket.write(bytes, end);
  });
}

/** Sends the bytes on a new connection and reads one answer. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<Answer> {
  using connection = await connectRaw(url);
  void connection.write(bytes);
  return await connection.answer(typeof bytes === 'string' ? bytes.slice(0, bytes.indexOf(' ')) : 'GET');
}

/** Makes a request's bytes from its first line without the version, its headers except Host, and its body. */
export function request(firstLine: string, headers: readonly string[] = [], body = ''): string {
  return [`${firstLine} HTTP/1.1`, 'Host: gifts.test', ...headers, '', body].join('\r\n');
}

/** Checks the headers of every answer. */
export function assertCommonHeaders({ headers }: Answer): void {
  assert.match(headers.get('request-id') ?? '', /^req_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.match(headers.get('ratelimit-policy') ?? '', /^"(?:key|address)";q=\d+;w=\d+$/);
  assert.match(headers.get('ratelimit') ?? '', /^"(?:key|address)";r=\d+;t=\d+$/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
}

/** The rest of its limit, from the answer's headers. */
export const requestsLeft = ({ headers }: Pick<Answer, 'headers'>) =>
  Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

/** Checks a whole refusal: the error object and its headers. */
export function assertRefused(answer: Answer, code: ErrorCode, param?: string, reason?: ErrorReason): void {
  assertError(answer, code, param, reason);
  assertCommonHeaders(answer);
  assert.equal(answer.headers.get('www-authenticate'), answer.status === 401 ? 'Bearer' : null);
}

/** A client that reads no answers, more than the kernel buffers, and the server's end of its connection. */
export async function connectUnread(url: string, server: Server): Promise<{ client: Socket; socket: Socket }> {
  const { hostname, port } = new URL(url);
  const accepted = once(server, 'connection');
  const client = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }).on('error', () => undefined);
  client.pause().write(request('GET /v1/openapi.json').repeat(1_000));
  const [socket] = (await accepted) as [Socket];
  // Not `writableNeedDrain`: one answer is below the mark of a stream, and the next is written after it.
  await until(() => socket.writableLength > 0, 'an answer waits to be read');
  return { client, socket };
}
