import { request as sendRequest } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, bytesOf, type Step, WORDS } from './steps.ts';

const DRIP_BYTES = 20;
const DRIP_MS = 20;
const RESET_MS = 100;

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Reads the requests of a connection, whose bodies have a `Content-Length`. */
async function* requestsOf(socket: Socket): AsyncGenerator<Request> {
  let buffer = Buffer.alloc(0);
  for await (const chunk of socket) {
    buffer = Buffer.concat([buffer, chunk as Buffer]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      const [line = '', ...lines] = buffer.toString('latin1', 0, Math.max(end, 0)).split('\r\n');
      const headers: Request['headers'] = {};
      for (const one of lines) headers[one.slice(0, one.indexOf(':')).toLowerCase()] = one.slice(one.indexOf(':') + 2);
      const next = end + 4 + Number(headers['content-length'] ?? 0);
      if (end < 0 || buffer.length < next) break;
      const [method = '', path = ''] = line.split(' ');
      yield { method, path, headers, body: buffer.subarray(end + 4, next) };
      buffer = buffer.subarray(next);
    }
  }
}

/** Sends one request on, and reads the whole answer. */
function forward(service: URL, { method, path, headers, body }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(new URL(path, service), { method, headers, agent: false });
    request.on('error', reject).on('response', async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const { connection: _connection, 'transfer-encoding': _coding, ...rest } = answer.headers;
      resolve({ status: answer.statusCode ?? 0, headers: rest as Answer['headers'], body: Buffer.concat(chunks) });
    });
    request.end(body);
  });
}

async function write(socket: Socket, bytes: Buffer, { close, drip }: { close?: string; drip?: true }): Promise<void> {
  if (!drip) socket.write(bytes);
  for (let start = 0; drip && start < bytes.length && !socket.destroyed; start += DRIP_BYTES) {
    socket.write(bytes.subarray(start, start + DRIP_BYTES));
    await wait(DRIP_MS);
  }
  if (close === 'fin') socket.end();
  if (close !== 'reset') return;
  // A reset takes back what has not been read.
  if (bytes.length > 0) await wait(RESET_MS);
  socket.resetAndDestroy();
}

export interface FaultyProxy {
  /** The address of a row, without a final slash. Rows share no connections. */
  urlOf(name: string): string;
  /** How many requests each row has got. */
  requests: Map<string, number>;
  /** Rows whose redirect to `/elsewhere` was followed. */
  redirected: Set<string>;
  close(): Promise<void>;
}

/** A program between clients and the service that does with each attempt what its row says. The last step repeats. */
export async function startFaultyProxy(
  serviceUrl: string,
  rows: ReadonlyMap<string, readonly Step[]>,
): Promise<FaultyProxy> {
  const service = new URL(serviceUrl);
  const requests = new Map<string, number>();
  const redirected = new Set<string>();
  const sockets = new Set<Socket>();
  const ports = new Map<string, number>();

  async function answer(socket: Socket, name: string, steps: readonly Step[], request: Request): Promise<void> {
    if (request.path.startsWith('/elsewhere')) redirected.add(name);
    const number = requests.get(name) ?? 0;
    requests.set(name, number + 1);
    const given = steps.at(Math.min(number, steps.length - 1)) ?? 'forward';
    const text = JSON.stringify(typeof given === 'string' ? WORDS[given] : given);
    const step = JSON.parse(text.replaceAll('{port}', `${ports.get(name)}`)) as Exclude<Step, string>;
    const { connection: _connection, 'accept-encoding': _coding, ...headers } = request.headers;
    let seen: Answer = { status: 0, headers: {}, body: Buffer.alloc(0) };
    if ('change' in step || step.forward) seen = await forward(service, { ...request, headers });
    const other = 'change' in step ? step.change.answer_of : undefined;
    if (other) {
      const { authorization = '' } = headers;
      seen = await forward(service, { method: 'GET', path: other, headers: { authorization }, body: Buffer.alloc(0) });
    }
    await write(socket, bytesOf(step, seen), step);
  }

  const servers = [...rows].map(([name, steps]) => {
    const server = createServer(async (socket) => {
      sockets.add(socket.on('close', () => sockets.delete(socket)));
      try {
        for await (const request of requestsOf(socket)) await answer(socket, name, steps, request);
      } catch {
        socket.destroy();
      }
    });
    return { name, server };
  });
  for (const { name, server } of servers) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports.set(name, (server.address() as AddressInfo).port);
  }
  return {
    urlOf: (name) => `http://127.0.0.1:${ports.get(name)}`,
    requests,
    redirected,
    async close() {
      for (const { server } of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
