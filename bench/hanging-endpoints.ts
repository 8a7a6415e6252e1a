import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient, linkGift } from '../server/test/harness/api-client.ts';
import { spreadOf } from './statistics.ts';

const HANGING = 9;
const ORDERS = 60;
/** In all longer than three time-outs of a push. */
const EVERY_MS = 500;
const GIVEN_UP_AFTER_MS = 30_000;

export interface HangingResult {
  events: number;
  medianMs: number;
  worstMs: number;
  /** Pushes that the nine got and did not answer. */
  hung: number;
}

/**
 * Adds nine endpoints that never answer and a tenth that does, places orders one by one, and measures from the answer of each
 * order to its push at the tenth endpoint.
 */
export async function measureHanging(serverUrl: string, key: string): Promise<HangingResult> {
  const api = createApiClient(serverUrl, key);
  const silent = await startSilent();
  const tenth = await startTenth();
  try {
    for (const url of [...Array.from({ length: HANGING }, (_, n) => `${silent.url}/${n}`), tenth.url]) {
      const { status } = await api.post('/v1/webhook_endpoints', { url, types: ['order.created'] });
      if (status !== 201) throw new Error(`The endpoint was not added: ${status}.`);
    }
    const placedAtMs = new Map<string, number>();
    for (let n = 0; n < ORDERS; n += 1) {
      const { status, body } = await api.order([linkGift()]);
      if (status !== 201) throw new Error(`The order was not placed: ${status}.`);
      placedAtMs.set(body.order_id, performance.now());
      await sleep(EVERY_MS);
    }
    const untilMs = performance.now() + GIVEN_UP_AFTER_MS;
    while (tenth.arrivedAtMs.size < ORDERS && performance.now() < untilMs) await sleep(100);
    const lateMs = [...placedAtMs].map(([id, atMs]) =>
      Math.max(0, (tenth.arrivedAtMs.get(id) ?? Number.POSITIVE_INFINITY) - atMs),
    );
    const { median, most } = spreadOf(lateMs);
    return { events: ORDERS, medianMs: median, worstMs: most, hung: silent.count() };
  } finally {
    silent.close();
    tenth.close();
  }
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Accepts connections and requests, and answers nothing. */
async function startSilent() {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      if (data.includes('POST /')) count += 1;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: urlOf(server),
    count: () => count,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Accepts every push and notes when the event of each order came. */
async function startTenth() {
  const arrivedAtMs = new Map<string, number>();
  const server = createServer((request, response) => {
    const nowMs = performance.now();
    void readText(request).then((text) => {
      const { data } = JSON.parse(text) as { data: { order_id: string } };
      if (!arrivedAtMs.has(data.order_id)) arrivedAtMs.set(data.order_id, nowMs);
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: urlOf(server),
    arrivedAtMs,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
