import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One answer as it stood on the wire. */
export interface Reply {
  status: number;
  /** Lower-case names, in their order, repeated ones too. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
}

/** All that a connection gave back until it ended. */
export interface Exchange {
  replies: Reply[];
  /** What came after the last whole answer; empty where all was in order. */
  rest: Buffer;
  /** Whether the other side ended the connection by itself, and not this one after waiting long enough. */
  isClosed: boolean;
}

const HEAD_END = '\r\n\r\n';
const NO_BODY = new Set([204, 304]);

/**
 * The next answer in these bytes, read as strictly as the strictest client would, and what follows it; undefined where
 * it is not whole. Nobody here asks with HEAD.
 *
 * @throws Error where the bytes cannot be the start of an answer
 */
export function nextReply(bytes: Buffer): { reply: Reply; rest: Buffer } | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [A-Z][A-Za-z -]+$/.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no status line: ${JSON.stringify(statusLine.slice(0, 80))}`);
  const headers = lines.map((line) => {
    const [, name = '', value = ''] = /^([A-Za-z0-9-]+): ([\t -~]*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`no header: ${JSON.stringify(line.slice(0, 80))}`);
    return [name.toLowerCase(), value] as const;
  });
  const behind = bytes.subarray(end + HEAD_END.length);
  const read =
    status < 200 || NO_BODY.has(status) ? { body: Buffer.alloc(0), rest: behind } : readBody(headers, behind);
  return read && { reply: { status, headers, body: read.body }, rest: read.rest };
}

function readBody(headers: Reply['headers'], bytes: Buffer): { body: Buffer; rest: Buffer } | undefined {
  const valuesOf = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value);
  const lengths = valuesOf('content-length');
  const encodings = valuesOf('transfer-encoding');
  if (lengths.length + encodings.length !== 1)
    throw new Error(`no one length: ${[...lengths, ...encodings].join(' and ')}`);
  if (encodings[0] === 'chunked') return readChunks(bytes);
  const length = /^\d+$/.test(lengths[0] ?? '') ? Number(lengths[0]) : Number.NaN;
  if (Number.isNaN(length)) throw new Error(`no length: ${lengths[0] ?? encodings[0]}`);
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), rest: bytes.subarray(length) };
}

function readChunks(bytes: Buffer): { body: Buffer; rest: Buffer } | undefined {
  const chunks: Buffer[] = [];
  for (let start = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', start);
    if (lineEnd < 0) return undefined;
    const line = bytes.subarray(start, lineEnd).toString('latin1');
    if (!/^[0-9a-f]{1,8}$/i.test(line)) throw new Error(`no chunk: ${JSON.stringify(line.slice(0, 80))}`);
    const size = Number.parseInt(line, 16);
    const chunkEnd = lineEnd + 2 + size;
    if (bytes.length < chunkEnd + 2) return undefined;
    if (bytes.toString('latin1', chunkEnd, chunkEnd + 2) !== '\r\n') throw new Error('a chunk without its end');
    if (size === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(chunkEnd + 2) };
    chunks.push(bytes.subarray(lineEnd + 2, chunkEnd));
    start = chunkEnd + 2;
  }
}

/** The value of a header that may stand once; undefined where it is missing or repeated. */
export function headerOf({ headers }: Reply, name: string): string | undefined {
  const values = headers.filter(([each]) => each === name);
  return values.length === 1 ? values[0]?.[1] : undefined;
}

/** Opens a connection; errors of it are told by its end. */
export async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

interface Sent {
  /** Pieces that are sent one after another, each once the one before is with the kernel. */
  pieces: readonly Uint8Array[];
  /** Whether this side ends its half of the connection after the last piece. */
  isEnded: boolean;
  withinMs: number;
}

/** Sends bytes on a connection of their own and reads whatever comes, until the other side ends it or time is up. */
export async function exchangeAll(url: string, { pieces, isEnded, withinMs }: Sent): Promise<Exchange> {
  const socket = await open(url);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  const ended = new Promise<boolean>((resolve) => {
    const cut = setTimeout(() => resolve(false), withinMs);
    for (const event of ['end', 'close'] as const)
      socket.once(event, () => {
        clearTimeout(cut);
        resolve(true);
      });
  });
  for (const piece of pieces) {
    if (!socket.writable) break;
    await Promise.race([new Promise<void>((resolve) => socket.write(piece, () => resolve())), ended]);
    // So that the other side reads each piece alone.
    if (pieces.length > 1) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (isEnded) socket.end();
  const isClosed = await ended;
  socket.destroy();
  const replies: Reply[] = [];
  let rest: Buffer = Buffer.concat(received);
  for (;;) {
    const next = nextReply(rest);
    if (next === undefined) return { replies, rest, isClosed };
    replies.push(next.reply);
    rest = next.rest;
  }
}
