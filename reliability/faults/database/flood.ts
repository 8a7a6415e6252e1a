// Orders from a process of its own: `node flood.ts JSON`. With `perSecond` an open loop, by a fixed schedule of arrivals,
// on as many connections as that takes; without, each connection orders again when it was answered. Prints a line of JSON.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRequests } from '../../../bench/load/request.ts';
import { quantile } from '../../../bench/statistics.ts';
import { createLines, type Outcome } from './flood-lines.ts';

export interface FloodInput {
  url: string;
  /** As `writeRequests` writes them. */
  file: string;
  /** Part of every Idempotency-Key. */
  run: string;
  /** In the open loop the most. */
  connections: number;
  seconds: number;
  perSecond?: number;
}

export interface FloodResult {
  /** Until the last request was sent. */
  seconds: number;
  /** Requests by status, or by what became of those without an answer. */
  came: Record<string, number>;
  /** Answers 201 that came until the last request was sent. */
  placedInTime: number;
  /** Errors by code. */
  codes: Record<string, number>;
  /** Answers 429 without `Retry-After`. */
  withoutRetryAfter: number;
  /** Due, and not sent: every connection was busy. */
  unsent: number;
  opened: number;
  mostOpen: number;
  /** How late the generator itself was at most. */
  latestMs: number;
  placed: Latency;
  refused: Latency;
}

export interface Latency {
  p50Ms: number;
  p99Ms: number;
}

const input = JSON.parse(process.argv[2] ?? '') as FloodInput;
const requests = readRequests(readFileSync(input.file, 'utf8'));
const OPENED_AT_ONCE = 32;
const LAST_ANSWERS_MS = 15_000;

const came: FloodResult['came'] = {};
const codes: FloodResult['codes'] = {};
const placedMs: number[] = [];
const refusedMs: number[] = [];
let withoutRetryAfter = 0;
let unsent = 0;
let latestMs = 0;
let turn = 0;
let underWay = 0;

const add = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

const lines = createLines(new URL(input.url), input.connections);

/** False where every connection is busy. */
function order(dueMs: number, then?: () => void): boolean {
  const request = requests[turn % requests.length];
  if (request === undefined) throw new Error('There are no requests.');
  turn += 1;
  underWay += 1;
  const isSent = lines.send(`${request.before}${input.run}-${turn}${request.after}`, (outcome) => {
    underWay -= 1;
    count(outcome, performance.now() - dueMs);
    then?.();
  });
  if (!isSent) underWay -= 1;
  return isSent;
}

function count({ name, head }: Outcome, tookMs: number): void {
  add(came, name);
  if (name === '201') {
    placedMs.push(tookMs);
    return;
  }
  if (name === '429') {
    refusedMs.push(tookMs);
    if (!/\r\nRetry-After: [1-9]/i.test(head)) withoutRetryAfter += 1;
  }
  const code = /"code":"(\w+)"/.exec(head)?.[1];
  if (code !== undefined) add(codes, code);
}

async function closedLoop(): Promise<void> {
  const endMs = performance.now() + input.seconds * 1_000;
  const again = () => {
    if (performance.now() < endMs) order(performance.now(), again);
  };
  for (let n = 0; n < input.connections; n += 1) again();
  await sleep(input.seconds * 1_000);
}

async function openLoop(perSecond: number): Promise<void> {
  const startMs = performance.now();
  const total = Math.floor(perSecond * input.seconds);
  for (let arrived = 0; arrived < total; await sleep(1)) {
    const nowMs = performance.now();
    for (; arrived < total; arrived += 1) {
      // What was due while a timer was late is sent at once, and counts from its time.
      const dueMs = startMs + (arrived * 1_000) / perSecond;
      if (dueMs > nowMs) break;
      latestMs = Math.max(latestMs, nowMs - dueMs);
      if (!order(dueMs)) unsent += 1;
    }
  }
}

/** As clients have them that were there before; the service closes one that says nothing. */
async function openAll(): Promise<void> {
  let left = input.connections;
  const open = async () => {
    while (left > 0) {
      left -= 1;
      await new Promise<void>((resolve) => {
        lines.sendOnNew('GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n', () => resolve());
      });
    }
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, open));
}

const latency = (tookMs: number[]): Latency => {
  const sorted = Float64Array.from(tookMs).sort();
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
};

if (input.perSecond !== undefined) await openAll();
const startedAtMs = performance.now();
await (input.perSecond === undefined ? closedLoop() : openLoop(input.perSecond));
const seconds = (performance.now() - startedAtMs) / 1_000;
const placedInTime = placedMs.length;
const untilMs = performance.now() + LAST_ANSWERS_MS;
while (underWay > 0 && performance.now() < untilMs) await sleep(10);
if (underWay > 0) came['unanswered'] = underWay;
const result: FloodResult = {
  seconds,
  came,
  placedInTime,
  codes,
  withoutRetryAfter,
  unsent,
  ...lines.figures(),
  latestMs,
  placed: latency(placedMs),
  refused: latency(refusedMs),
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
