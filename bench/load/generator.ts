// Generates load: `node generator.ts JSON`. `perSecond` sends on a fixed schedule (open loop); without it each connection
// sends the next request after the last answer. Prints one line of JSON.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../statistics.ts';
import { type Connection, openConnection } from './connection.ts';
import { readRequests } from './request.ts';

interface Input {
  url: string;
  file: string;
  run: string;
  connections: number;
  seconds: number;
  perSecond?: number;
}

const input = JSON.parse(process.argv[2] ?? '') as Input;
const requests = readRequests(readFileSync(input.file, 'utf8'));
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
const succeeded = (statuses['200'] ?? 0) + (statuses['201'] ?? 0);
process.stdout.write(
  `${JSON.stringify({
    statuses,
    seconds,
    sent: latenciesMs.length,
    failed: latenciesMs.length - succeeded,
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    p99Ms: quantile(sorted, 0.99),
    p999Ms: quantile(sorted, 0.999),
  })}\n`,
);
