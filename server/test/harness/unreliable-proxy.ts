import { Agent, createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../../../reliability/faults/random.ts';
import { endWithTest } from './end-with-test.ts';

/** What can happen to a request on its way. */
const fates = [
  'passed',
  'passed',
  'dropped before',
  'dropped after',
  'request truncated',
  'answer truncated',
  'delayed',
  'duplicated',
  'duplicated later',
  'gateway error after',
] as const;
export type Fate = (typeof fates)[number];

interface Message {
  head: Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
  body: Buffer;
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const LONGEST_DELAY_MS = 30;

/** @param bytes of the body to send before the connection is dropped; all of it by default */
function send(
  { hostname, port }: URL,
  agent: Agent,
  { head, body }: Message,
  bytes?: number,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const { method, url: path, headers } = head;
    const isWhole = bytes === undefined;
    const options = { hostname, port, method, path, headers, ...(isWhole ? { agent } : { agent: false as const }) };
    const outgoing = sendRequest(options, async (incoming) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of incoming) chunks.push(chunk);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) });
      } catch {
        resolve(undefined);
      }
    });
    outgoing.on('error', () => resolve(undefined));
    if (isWhole) outgoing.end(body);
    else outgoing.write(body.subarray(0, bytes), () => outgoing.destroy());
  });
}

function answerWith(response: ServerResponse, answer: Answer | undefined): void {
  if (answer === undefined) response.socket?.destroy();
  else response.writeHead(answer.status, answer.headers).end(answer.body);
}

/** @param ghosts receives the duplicated requests that are still on their way */
function createActs(
  forward: (message: Message, bytes?: number) => Promise<Answer | undefined>,
  random: () => number,
  ghosts: Set<Promise<unknown>>,
): Record<Fate, (message: Message, response: ServerResponse) => Promise<void>> {
  return {
    passed: async (message, response) => answerWith(response, await forward(message)),
    'dropped before': async (_, response) => void response.socket?.destroy(),
    'dropped after': async (message, response) => {
      await forward(message);
      response.socket?.destroy();
    },
    'request truncated': async (message, response) => {
      await forward(message, Math.floor(random() * message.body.length));
      response.socket?.destroy();
    },
    'answer truncated': async (message, response) => {
      const answer = await forward(message);
      if (answer === undefined) return void response.socket?.destroy();
      response.writeHead(answer.status, answer.headers);
      const half = answer.body.subarray(0, Math.floor(random() * answer.body.length));
      response.write(half.length > 0 ? half : ' ', () => response.socket?.destroy());
    },
    delayed: async (message, response) => {
      await sleep(random() * LONGEST_DELAY_MS);
      const answer = await forward(message);
      await sleep(random() * LONGEST_DELAY_MS);
      answerWith(response, answer);
    },
    duplicated: async (message, response) => {
      const [one, two] = await Promise.all([forward(message), forward(message)]);
      answerWith(response, random() < 0.5 ? one : two);
    },
    'duplicated later': async (message, response) => {
      const delayMs = random() * 4 * LONGEST_DELAY_MS;
      ghosts.add(sleep(delayMs).then(() => forward(message)));
      if (random() < 0.5) response.socket?.destroy();
      else answerWith(response, await forward(message));
    },
    'gateway error after': async (message, response) => {
      await forward(message);
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>Bad gateway</html>');
    },
  };
}

/** Drops, delays, duplicates and truncates what passes between a client and the service. */
export async function startUnreliableProxy(target: string, seed: number) {
  const random = randomFrom(seed);
  const counts: Partial<Record<Fate, number>> = {};
  const ghosts = new Set<Promise<unknown>>();

  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const forward = (message: Message, bytes?: number) => send(new URL(target), agent, message, bytes);
  const acts = createActs(forward, random, ghosts);

  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const fate = fates[Math.floor(random() * fates.length)] ?? 'passed';
    counts[fate] = (counts[fate] ?? 0) + 1;
    const { method, url, headers } = incoming;
    await acts[fate]({ head: { method, url, headers }, body: Buffer.concat(chunks) }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How often each fault has occurred. */
    counts,
    fates: new Set<Fate>(fates),
    /** Waits for duplicated requests that are still on their way. */
    async settle() {
      await Promise.all(ghosts);
    },
    close: endWithTest(() => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    }),
  };
}
