import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { faultsOf } from './faults.ts';
import type { GoodTraffic } from './good-traffic.ts';
import { p99Of } from './processor-time.ts';
import { nextReply, open } from './wire.ts';

/** Issue 6: how long a body, or headers, may take to arrive. */
const CUT_WITHIN_MS = 10_000;
const BYTE_EVERY_MS = 2_000;
const GOOD_TRAFFIC = fileURLToPath(new URL('good-traffic.ts', import.meta.url));
const READ_REQUESTS = 4;
const PAUSE_MS = 10;

interface Options {
  url: string;
  /** A sandbox key. */
  key: string;
  clients: number;
  cutWithinMs?: number;
  /** How long the good traffic is measured beside the slow; half as long before. */
  seconds: number;
  /** A p99 below this is good, whatever it was before: the machine has other things to do. */
  floorMs: number;
  say(line: string): void;
}

const HEAD = 'Host: gifts.test\r\n';
const slowHeaders = `GET /v1/health HTTP/1.1\r\n${HEAD}X: `;
const slowBody = (key: string) =>
  `POST /v1/orders HTTP/1.1\r\n${HEAD}Authorization: Bearer ${key}\r\nIdempotency-Key: slow\r\nContent-Length: 1000\r\n\r\n{`;
/** More than the kernel takes for a client that reads nothing of it. */
const slowReader = `GET /v1/openapi.json HTTP/1.1\r\n${HEAD}\r\n`.repeat(READ_REQUESTS);

/**
 * Good requests before and beside clients that send a byte now and then, or read nothing: of their answers, the slowest
 * one in a hundred may take at most twice as long; who is slow to send is told so, and cut off, in time.
 */
export async function trySlowClients(options: Options): Promise<string[]> {
  const { url, key, clients, cutWithinMs = CUT_WITHIN_MS, seconds, floorMs, say } = options;
  const findings: string[] = [];
  await goodTraffic(url, key, 1);
  const before = await goodTraffic(url, key, seconds / 2);
  // What they ask for is made for them beforehand: they are slow, and no flood.
  const readers: Socket[] = [];
  for (let index = 0; index < clients / 3; index += 1) {
    readers.push(await stuckReader(url));
    await sleep(PAUSE_MS);
  }
  const endsAtMs = performance.now() + seconds * 1_000;
  const senders = Math.round((clients * 2) / 3);
  const slow = Array.from({ length: senders }, async (_, index) => {
    const found: string[] = [];
    await sleep((index / senders) * Math.min(seconds * 500, cutWithinMs / 2));
    // Whoever is cut off comes again.
    do found.push(...(await slowSender(url, index % 2 === 0 ? slowHeaders : slowBody(key), cutWithinMs)));
    while (performance.now() < endsAtMs);
    return found;
  });
  const beside = await goodTraffic(url, key, seconds);
  const cut = (await Promise.all(slow)).flat();
  for (const reader of readers) reader.destroy();
  const [was, is] = [p99Of(before.durationsMs), p99Of(beside.durationsMs)];
  say(
    `${clients} slow clients, ${beside.durationsMs.length} good requests: p99 ${was.toFixed(1)} ms before, ${is.toFixed(1)} ms beside`,
  );
  findings.push(...new Set([...before.faults, ...beside.faults, ...cut]));
  if (is > Math.max(2 * was, floorMs))
    findings.push(`good traffic’s p99 went from ${was.toFixed(1)} to ${is.toFixed(1)} ms`);
  return findings;
}

/** Good requests for some seconds, from a process of their own. */
async function goodTraffic(url: string, key: string, seconds: number): Promise<GoodTraffic> {
  const child = fork(GOOD_TRAFFIC, [url, key, String(seconds)]);
  let traffic: GoodTraffic | undefined;
  child.once('message', (message) => {
    traffic = message as GoodTraffic;
  });
  await once(child, 'exit');
  if (traffic === undefined) throw new Error('The good traffic ended without its figures.');
  return traffic;
}

/** Sends the start, and then a byte now and then; it must be refused in form and cut off. */
async function slowSender(url: string, start: string, cutWithinMs: number): Promise<string[]> {
  const socket = await open(url);
  const startedAtMs = performance.now();
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
  });
  const ended = new Promise<boolean>((resolve) => {
    for (const event of ['end', 'close'] as const) socket.once(event, () => resolve(true));
  });
  socket.write(start);
  const trickle = setInterval(() => socket.write('a'), BYTE_EVERY_MS);
  const isCut = await Promise.race([ended, sleep(cutWithinMs, false, { ref: false })]);
  clearInterval(trickle);
  socket.destroy();
  const kind = start.startsWith('GET') ? 'slow headers' : 'a slow body';
  if (!isCut) return [`${kind}: not cut off within ${Math.round(performance.now() - startedAtMs) / 1_000} s`];
  try {
    const reply = nextReply(received)?.reply;
    if (reply === undefined) return [`${kind}: cut off without an answer`];
    return [...faultsOf(reply), ...(reply.status === 400 ? [] : [`status ${reply.status}`])].map(
      (fault) => `${kind}: ${fault}`,
    );
  } catch (error) {
    return [`${kind}: ${(error as Error).message}`];
  }
}

async function stuckReader(url: string): Promise<Socket> {
  const socket = await open(url);
  socket.pause();
  socket.write(slowReader);
  return socket;
}
