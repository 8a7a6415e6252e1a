import { setTimeout as sleep } from 'node:timers/promises';
import { install } from '../../../bench/installation.ts';
import { processors } from '../../processors.ts';
import type { Fault } from '../fault.ts';
import type { FloodResult } from './flood.ts';
import { judgeOrders } from './judge-orders.ts';
import { createFlood } from './run-flood.ts';
import { judgeSamples, ROW_COUNTS, SAMPLES, type Sample, takeSample } from './server-samples.ts';

const DEFAULT_MINUTES = 60;
/** So many that few orders of one organization meet. */
const ORGANIZATIONS = 4_096;
const WARM_UP = { connections: 128, seconds: 10 };
const PEAK = { connections: 128, seconds: 15 };
const SHARE = 0.5;
/** So many that a moment of waiting leaves some free. */
const CONNECTIONS = 1_024;
const EXPECTED = new Set(['201', '409']);

export const soakOrders: Fault = {
  name: 'soak-orders',
  summary:
    'Half of the orders that the machine carries, by the clock, for an hour, or as long as --minutes says: memory, handles and dead rows stay flat.',
  issueCount: 1,
  shortCount: 1,
  runsByDefault: false,
  async run({ count, say, minutes = DEFAULT_MINUTES }) {
    const installation = await install();
    try {
      await installation.bestow(['catalog', 'add-built-in', '--json']);
      const flood = await createFlood(await installation.seed(ORGANIZATIONS, 'sandbox'), processors.all);
      try {
        const { url, pid } = await installation.startServer();
        const warmUp = await flood.run({ url, ...WARM_UP });
        const peak = await flood.run({ url, ...PEAK });
        const perSecond = (SHARE * peak.placedInTime) / peak.seconds;
        say(`half of the peak: ${Math.round(perSecond)} orders a second`);
        const load = flood.run({ url, connections: CONNECTIONS, seconds: minutes * 60, perSecond });
        const samples: Sample[] = [];
        const sampling = (async () => {
          for (let number = 1; number <= SAMPLES; number += 1) {
            // The last while the load still goes on.
            await sleep(((minutes * 60_000) / SAMPLES) * (number === SAMPLES ? 0.99 : 1));
            const { rows } = await installation.sql.query(ROW_COUNTS);
            const sample = takeSample(rows, pid, (number * minutes) / SAMPLES);
            samples.push(sample);
            say(JSON.stringify(sample));
          }
        })();
        const [during] = await Promise.all([load, sampling]);
        const failures = [...judgeSamples(samples), ...judgeAnswers(during)];
        failures.push(...(await judgeOrders(installation, [warmUp, peak, during])));
        const notes = [...samples.map((sample) => JSON.stringify(sample)), tell(perSecond, during)];
        return { count, violations: [], failures, recoveriesMs: [], notes };
      } finally {
        await flood.close();
      }
    } finally {
      await installation.close();
    }
  },
};

function judgeAnswers({ came, unsent }: FloodResult): string[] {
  const others = Object.entries(came).filter(([name]) => !EXPECTED.has(name));
  return [
    ...(others.length > 0 ? [`some came to something else: ${JSON.stringify(Object.fromEntries(others))}.`] : []),
    ...(unsent > 0 ? [`${unsent} were not sent: every connection waited.`] : []),
  ];
}

const tell = (perSecond: number, { came, placed, unsent }: FloodResult) =>
  `${Math.round(perSecond)} orders a second; ${JSON.stringify(came)}; ${unsent} not sent because every connection waited; placed in ${Math.round(placed.p50Ms)} and ${Math.round(placed.p99Ms)} ms (median, p99)`;
