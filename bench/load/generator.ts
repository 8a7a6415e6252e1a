// Generates load: reads its input as JSON from standard input, and prints one line of JSON.
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../statistics.ts';
import { type Connection, openConnection } from './connection.ts';
import type { RequestText } from './request.ts';

export interface GeneratorInput {
  url: string;
  requests: RequestText[];
  run: string;
  connections: number;
  seconds: number;
  /** Sends on a fixed schedule (open loop). */
  perSecond?: number;
  /** Answers that take longer are counted as late. */
  lateMs?: number;
}

export interface GeneratorResult {
  statuses: Record<string, number>;
  seconds: number;
  sent: number;
  /** Latency of all answers. */
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  p999Ms: number;
  late: number;
}

const input: GeneratorInput = JSON.parse(await text(process.stdin));
const { requests } = input;
const url = new URL(input.url);
const connections = await Promise.all(Array.from({ length: input.connections }, () => openConnection(url)));

const latenciesMs: number[] = [];
const statuses: Record<string, number> = {};
let turn = 0;

function nextRequest(): string {
  const { before, after, isFresh } = requests[turn % requests.length] ?? { before: '', after: '', isFresh: false };
  turn += 1;
  return isFresh ? `${before}${input.run}-${turn}${after}` : before;
}

async function send(connection: Connection, dueMs: number): Promise<void> {
  const status = await connection.send(nextRequest()).then(
    (answer) => answer.status,
    () => 'broken',
  );
  latenciesMs.push(performance.now() - dueMs);
  statuses[status] = (statuses[status] ?? 0) + 1;
}

async function closedLoop(): Promise<void> {
  const endMs = performance.now() + input.seconds * 1000;
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < endMs) await send(connection, performance.now());
    }),
  );
}

async function openLoop(perSecond: number): Promise<void> {
  const free = [...connections];
  const due: number[] = [];
  const underWay = new Set<Promise<void>>();
  const startMs = performance.now();
  const total = Math.floor(perSecond * input.seconds);

  function sendDue(): void {
    for (let dueMs = due[0]; dueMs !== undefined && free.length > 0; dueMs = due[0]) {
      due.shift();
      // Round robin: the service closes a connection that sends nothing for five seconds.
      const connection = free.shift() as Connection;
      const sent = send(connection, dueMs).finally(() => {
        underWay.delete(sent);
        free.push(connection);
        sendDue();
      });
      underWay.add(sent);
    }
  }

  for (let arrived = 0; arrived < total; ) {
    // Timers can be late; overdue requests are sent at once, and their latency counts from the due time.
    for (; arrived < total && startMs + (arrived * 1000) / perSecond <= performance.now(); arrived += 1)
      due.push(startMs + (arrived * 1000) / perSecond);
    sendDue();
    await sleep(1);
  }
  while (due.length > 0 || underWay.size > 0) await Promise.race([...underWay, sleep(10)]);
}

const startedAtMs = performance.now();
await (input.perSecond === undefined ? closedLoop() : openLoop(input.perSecond));
const seconds = (performance.now() - startedAtMs) / 1000;
for (const connection of connections) connection.close();

const sorted = Float64Array.from(latenciesMs).sort();
const result: GeneratorResult = {
  statuses,
  seconds,
  sent: latenciesMs.length,
  p50Ms: quantile(sorted, 0.5),
  p95Ms: quantile(sorted, 0.95),
  p99Ms: quantile(sorted, 0.99),
  p999Ms: quantile(sorted, 0.999),
  late: latenciesMs.filter((ms) => ms > (input.lateMs ?? Number.POSITIVE_INFINITY)).length,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
