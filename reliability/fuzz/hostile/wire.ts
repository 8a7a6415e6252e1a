import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One answer as its bytes say. */
export interface Reply {
  status: number;
  /** Lower-case names in their order, with repeats. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
}

const HEAD_END = '\r\n\r\n';
const NO_BODY = new Set([204, 304]);

/** Builds a request. A `Content-Length` is added if there is a body. */
export function requestOf(
  firstLine: string | Buffer,
  headers: readonly (string | Buffer)[] = [],
  body?: Buffer,
): Buffer {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  return Buffer.concat([
    Buffer.from(firstLine),
    Buffer.from(' HTTP/1.1\r\n'),
    ...['Host: gifts.test', ...headers, ...length].flatMap((line) => [Buffer.from(line), Buffer.from('\r\n')]),
    Buffer.from('\r\n'),
    body ?? Buffer.alloc(0),
  ]);
}

/**
 * Reads the next answer strictly. Returns undefined while it is incomplete.
 *
 * @throws Error if the bytes cannot begin an answer
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
  const after = bytes.subarray(end + HEAD_END.length);
  const read = status < 200 || NO_BODY.has(status) ? { body: Buffer.alloc(0), rest: after } : readBody(headers, after);
  return read && { reply: { status, headers, body: read.body }, rest: read.rest };
}

function readBody(headers: Reply['headers'], bytes: Buffer): { body: Buffer; rest: Buffer } | undefined {
  const valuesOf = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value);
  const lengths = valuesOf('content-length');
  const encodings = valuesOf('transfer-encoding');
  if (lengths.length + encodings.length !== 1) throw new Error(`not one length: ${[...lengths, ...encodings].join()}`);
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
    if (size === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(chunkEnd + 2) };
    chunks.push(bytes.subarray(lineEnd + 2, chunkEnd));
    start = chunkEnd + 2;
  }
}

/** Returns the value of a header, or undefined if it is missing or repeated. */
export function headerOf({ headers }: Reply, name: string): string | undefined {
  const values = headers.filter(([each]) => each === name);
  return values.length === 1 ? values[0]?.[1] : undefined;
}

export async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

export interface Conversation {
  replies: Reply[];
  /** What came after the last complete answer. */
  rest: Buffer;
  /** Whether the server ended the connection in time. */
  isClosed: boolean;
}

/** Sends bytes on a connection of their own, then reads until the server ends the connection or time is up. */
export async function converse(
  url: string,
  { bytes, isEnded, withinMs }: { bytes: Buffer; isEnded: boolean; withinMs: number },
): Promise<Conversation> {
  const socket = await open(url);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  const ended = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), withinMs);
    for (const event of ['end', 'close'] as const)
      socket.once(event, () => {
        clearTimeout(timer);
        resolve(true);
      });
  });
  socket.write(bytes);
  if (isEnded) socket.end();
  const isClosed = await ended;
  socket.destroy();
  const replies: Reply[] = [];
  let rest: Buffer = Buffer.concat(received);
  for (let next = nextReply(rest); next !== undefined; next = nextReply(rest)) {
    replies.push(next.reply);
    rest = next.rest;
  }
  return { replies, rest, isClosed };
}

const ANSWER_WITHIN_MS = 12_000;

/** Sends requests one after another on a kept connection. */
export function createKeptConnection(url: string) {
  let socket: Socket | undefined;
  let received: Buffer = Buffer.alloc(0);
  let wake = () => {};

  function hangUp(): void {
    socket?.destroy();
    socket = undefined;
    received = Buffer.alloc(0);
  }

  async function connected(): Promise<Socket> {
    if (socket?.writable && !socket.readableEnded && received.length === 0) return socket;
    hangUp();
    const opened = await open(url);
    socket = opened;
    opened.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      wake();
    });
    for (const event of ['end', 'close'] as const) opened.on(event, () => wake());
    return opened;
  }

  async function finalReply(of: Socket): Promise<Reply> {
    for (;;) {
      const next = nextReply(received);
      if (next !== undefined) received = next.rest;
      if (next !== undefined && next.reply.status >= 200) return next.reply;
      if (next !== undefined) continue;
      if (of.readableEnded || of.destroyed)
        throw new Error(`no whole answer: ${JSON.stringify(received.toString('latin1').slice(0, 80))}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    /** @throws Error if no answer comes in time */
    async ask(bytes: Uint8Array): Promise<Reply> {
      const current = await connected();
      const deadline = setTimeout(() => current.destroy(), ANSWER_WITHIN_MS);
      current.write(bytes);
      try {
        const reply = await finalReply(current);
        if (headerOf(reply, 'connection') === 'close') hangUp();
        return reply;
      } catch (error) {
        hangUp();
        throw error;
      } finally {
        clearTimeout(deadline);
      }
    },
    close: hangUp,
  };
}
