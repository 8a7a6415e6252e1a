// `good-traffic.ts URL KEY SECONDS`: requests at a steady rate, whether or not the earlier ones were answered. Sends its
// parent a GoodTraffic. A process of its own: 2,000 slow clients keep the event loop that plays them busy, and its delays
// would be counted as the service's.
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLane } from './lane.ts';

/** A duration begins when its request was due, not when it was sent. */
export interface GoodTraffic {
  durationsMs: number[];
  faults: string[];
}

const PER_SECOND = 100;
const LANES = 20;

const [url = '', key = '', seconds = ''] = process.argv.slice(2);
const bytes = Buffer.from(
  `GET /v1/orders?limit=1 HTTP/1.1\r\nHost: gifts.test\r\nAuthorization: Bearer ${key}\r\n\r\n`,
);
// It measures the service, and not how long the slow clients' own process kept it waiting for the processor they share.
try {
  setPriority(constants.priority.PRIORITY_HIGHEST);
} catch {
  // Only root may; a wait of its own counts as the service's then.
}

const durationsMs: number[] = [];
const faults = new Set<string>();
const startedAtMs = performance.now();

async function fill(first: number): Promise<void> {
  const lane = createLane(url);
  for (let number = first; number < Number(seconds) * PER_SECOND; number += LANES) {
    const dueAtMs = startedAtMs + (number * 1_000) / PER_SECOND;
    await sleep(Math.max(0, dueAtMs - performance.now()));
    try {
      const reply = await lane.ask(bytes);
      if (reply.status !== 200) faults.add(`good traffic: status ${reply.status}`);
    } catch (error) {
      faults.add(`good traffic: ${(error as Error).message}`);
    }
    durationsMs.push(performance.now() - dueAtMs);
  }
  lane.close();
}

await Promise.all(Array.from({ length: LANES }, (_, first) => fill(first)));
process.send?.({ durationsMs, faults: [...faults] } satisfies GoodTraffic);
process.disconnect?.();
