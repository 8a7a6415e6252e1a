import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Answer } from './api-client.ts';

/** A connection below HTTP: it sends any bytes, and reads answers as a strict client would. */
export interface RawConnection {
  /** Resolves once the bytes are with the kernel, or cannot be sent any more. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** The next answer; `method` is the request's, because an answer to HEAD has no body. */
  answer(method?: string): Promise<Answer>;
  /** Resolves when the other side has closed the connection. */
  closed: Promise<void>;
  close(): void;
}

const ANSWER_WITHIN_MS = 12_000;

/** Opens a connection to the service at this address. */
export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let received = Buffer.alloc(0);
  let hasEnded = false;
  let wake = () => {};
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A reset after the answer is the other side's right; before it, `answer` reports the missing answer.
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
    const cut = setTimeout(() => socket.destroy(), ANSWER_WITHIN_MS);
    try {
      for (;;) {
        const found = find();
        if (found >= 0) return found;
        if (hasEnded) throw new Error(`The connection ended without a whole answer: “${received.toString('latin1')}”`);
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
    const [statusLine = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const headers = new Headers(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
    received = received.subarray(headEnd + 4);
    if (status === 100) return readAnswer(method);
    const length = method === 'HEAD' || status === 304 ? 0 : Number(headers.get('content-length'));
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
    close: () => socket.destroy(),
  };
}

function writeAll(socket: Socket, bytes: string | Uint8Array): Promise<void> {
  if (!socket.writable) return Promise.resolve();
  return new Promise((resolve) => {
    socket.once('close', resolve);
    socket.write(bytes, () => {
      socket.off('close', resolve);
      resolve();
    });
  });
}

/** Sends the bytes on a connection of their own and reads one answer. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<Answer> {
  const connection = await connectRaw(url);
  try {
    void connection.write(bytes);
    return await connection.answer(String(bytes).slice(0, 5) === 'HEAD ' ? 'HEAD' : 'GET');
  } finally {
    connection.close();
  }
}
