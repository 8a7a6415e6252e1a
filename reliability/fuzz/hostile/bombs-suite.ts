import { findBrokenTables } from '../find-broken-tables.ts';
import type { Suite } from '../suite.ts';
import { type Bomb, bombs } from './bombs.ts';
import { faultsOf } from './faults.ts';
import { createLane } from './lane.ts';
import { startOwnProcess } from './own-process.ts';
import { requestOf } from './place.ts';
import { medianOf, processorMs } from './processor-time.ts';
import { sampleOf } from './random.ts';

/** Issue 6: what a bomb may cost. */
const MOST_MS = 100;
/** Of each; the middle one counts, because a collection of garbage falls on some request or other. */
const REPEATS = 5;

type FigureOf = (figures: readonly number[]) => number;

/** What each body costs the process that answers it; the figure of several tries is the caller's choice. */
export async function tryBombs(
  service: { url: string; pid: number; key: string },
  some: readonly Bomb[],
  figureOf: FigureOf,
): Promise<{ figures: { name: string; ms: number }[]; findings: string[] }> {
  const lane = createLane(service.url);
  const findings = new Set<string>();
  const figures: { name: string; ms: number }[] = [];
  const headers = [`Authorization: Bearer ${service.key}`, 'Idempotency-Key: bomb', 'Content-Type: application/json'];
  for (const { name, body } of some) {
    const tries: number[] = [];
    while (tries.length < REPEATS) {
      const before = processorMs(service.pid);
      const reply = await lane.ask(requestOf('POST /v1/orders', headers, body));
      tries.push(processorMs(service.pid) - before);
      for (const fault of faultsOf(reply)) findings.add(`${name}: ${fault}`);
      if (reply.status !== 400 && reply.status !== 422) findings.add(`${name}: status ${reply.status}`);
    }
    const ms = figureOf(tries);
    figures.push({ name, ms });
    if (ms > MOST_MS) findings.add(`${name}: ${ms.toFixed(1)} ms of processor time`);
  }
  lane.close();
  return { figures, findings: [...findings] };
}

/** JSON that costs more than it weighs, against a service in a process of its own. */
export const jsonBombs: Suite = {
  name: 'bombs',
  counts: { whole: bombs.length, short: 20 },
  async run({ seed, count, say }) {
    const service = await startOwnProcess();
    try {
      const { figures, findings } = await tryBombs(service, sampleOf(bombs, count, seed), medianOf);
      if (service.hasEnded()) findings.push('the process ended');
      const worst = figures.toSorted((one, other) => other.ms - one.ms).slice(0, 3);
      say(`${figures.length} of ${bombs.length} bombs, median ${medianOf(figures.map(({ ms }) => ms)).toFixed(1)} ms`);
      for (const { name, ms } of worst) say(`at most: ${ms.toFixed(1)} ms, ${name}`);
      return [...findings, ...(await findBrokenTables(service))];
    } finally {
      await service.stop();
    }
  },
};
