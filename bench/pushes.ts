import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient } from '../server/test/harness/api-client.ts';
import { fillEvents } from './fill-gifts.ts';
import { type HangingResult, measureHanging } from './hanging-endpoints.ts';
import { type Installation, install } from './installation.ts';
import { describeMachine, type Machine } from './machine.ts';
import { describe, number } from './print.ts';
import { processorSeconds, treeProcessorSeconds } from './processor.ts';
import { uuidOf } from './site.ts';

const LEAST_PER_SECOND = 2_000;
const MOST_LATE_MS = 2_000;
const MINUTE_MS = 60_000;

export interface PushesResult {
  machine: Machine;
  events: number;
  /** From the first push to the last answer. */
  perSecond: number;
  /** Processor time of a push. */
  nodeMicroseconds: number;
  postgresMicroseconds: number;
  hanging: HangingResult;
  isMet: boolean;
  isTenthInTime: boolean;
}

interface Options {
  events: number;
  say(text: string): void;
}

/**
 * Measures how fast one process pushes waiting events to one endpoint that is not ordered, and how late pushes are beside
 * nine endpoints that hang.
 */
export async function runPushes({ events, say }: Options): Promise<PushesResult> {
  const machine = describeMachine();
  const installation = await install();
  const sink = await startSink();
  try {
    const [organization, other] = await installation.seed(2, 'sandbox');
    if (organization === undefined || other === undefined) throw new Error('No organization was seeded.');
    const server = await installation.startServer({
      DATABASE_URL: installation.databaseUrl,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    });
    const { status } = await createApiClient(server.url, organization.key).post('/v1/webhook_endpoints', {
      url: sink.url,
    });
    if (status !== 201) throw new Error(`The endpoint was not added: ${status}.`);
    say(`pushing ${number(events)} events, and as many again`);
    // The first warm the compiler up.
    await push(installation, { server, sink, organizationId: uuidOf(organization), from: 0, events });
    const pushed = await push(installation, {
      server,
      sink,
      organizationId: uuidOf(organization),
      from: events,
      events,
    });
    say('placing orders beside nine endpoints that hang');
    const hanging = await measureHanging(server.url, other.key);
    const isMet = pushed.perSecond >= LEAST_PER_SECOND;
    return { machine, events, ...pushed, hanging, isMet, isTenthInTime: hanging.worstMs <= MOST_LATE_MS };
  } finally {
    sink.close();
    await installation.close();
  }
}

interface Pushing {
  server: { pid: number };
  sink: Sink;
  organizationId: string;
  from: number;
  events: number;
}

async function push({ sql, postgresPid }: Installation, { server, sink, organizationId, from, events }: Pushing) {
  const nowMs = Date.now();
  const used = () => [processorSeconds(server.pid), treeProcessorSeconds(postgresPid)] as const;
  const owner = { organizationId, environment: 'sandbox' as const, fromMs: nowMs - MINUTE_MS, toMs: nowMs };
  await fillEvents(sql, owner, from + events);
  const before = used();
  sink.restart();
  const isDone = async () => {
    const { rows } = await sql.query('select cursor_sequence::integer as cursor from webhook_endpoints');
    return rows[0].cursor === from + events;
  };
  while (!(await isDone())) await sleep(100);
  const after = used();
  const [node = 0, postgres = 0] = after.map((seconds, n) => ((seconds - (before[n] ?? 0)) * 1e6) / sink.count());
  return { perSecond: sink.perSecond(), nodeMicroseconds: node, postgresMicroseconds: postgres };
}

interface Sink {
  url: string;
  restart(): void;
  count(): number;
  perSecond(): number;
  close(): void;
}

const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n';

/** Accepts every push and reads only its length. `node:http` would use more processor time than the measured service. */
async function startSink(): Promise<Sink> {
  let [count, firstMs, lastMs] = [0, 0, 0];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = '';
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (text: string) => {
      received += text;
      for (let headEnd = received.indexOf('\r\n\r\n'); headEnd !== -1; headEnd = received.indexOf('\r\n\r\n')) {
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1]);
        if (received.length < headEnd + 4 + length) return;
        received = received.slice(headEnd + 4 + length);
        lastMs = performance.now();
        if (count === 0) firstMs = lastMs;
        count += 1;
        socket.write(ANSWER);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    restart() {
      count = 0;
    },
    count: () => count,
    perSecond: () => ((count - 1) * 1_000) / (lastMs - firstMs),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export function presentPushes(result: PushesResult): string {
  const { machine, events, perSecond, hanging, isMet, isTenthInTime, ...used } = result;
  const pushed = `${number(events)} events, ${number(perSecond)} pushes a second; a push took Node ${number(used.nodeMicroseconds)} µs and PostgreSQL ${number(used.postgresMicroseconds)} µs of the processor.`;
  const tenth = `Beside nine endpoints that did not answer ${number(hanging.hung)} pushes, the tenth got ${number(hanging.events)} events ${number(hanging.medianMs)} ms after the answers of their orders (median), at most ${number(hanging.worstMs)} ms.`;
  const met = (is: boolean) => (is ? 'met' : 'not met');
  return `${describe(machine)}\n\n${pushed}\nGoal (at least ${number(LEAST_PER_SECOND)} a second): ${met(isMet)}.\n\n${tenth}\nGoal (at most ${number(MOST_LATE_MS)} ms): ${met(isTenthInTime)}.\n`;
}
