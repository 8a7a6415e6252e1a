import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { figures } from '../inject-under-load.ts';
import { openRig } from '../rig.ts';
import { unexplainedAnswers } from '../strange-errors.ts';
import { judgeSamples, ROW_COUNTS, SAMPLES, type Sample, takeSample } from './server-samples.ts';

const DEFAULT_MINUTES = 60;
/** Some acts are several calls; the record holds what an hour of this makes. */
const ACTS_PER_SECOND = 20;
const MESSAGE_TAKES_MS = 2;

export const soak: Fault = {
  name: 'soak',
  summary:
    'A light load of every act for an hour, or as long as --minutes says: memory, handles and dead rows stay flat, and every answer is one that it should be.',
  issueCount: 1,
  shortCount: 1,
  runsByDefault: false,
  async run({ count, random, say, minutes = DEFAULT_MINUTES }) {
    const rig = await openRig({ random, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      const { url, child } = await rig.startServer();
      const load = rig.startLoad({ urls: [url], perSecond: ACTS_PER_SECOND });
      const samples: Sample[] = [];
      for (let number = 1; number <= SAMPLES; number += 1) {
        await sleep((minutes * 60_000) / SAMPLES);
        const sample = takeSample(await rig.sql(ROW_COUNTS), child.pid ?? 0, (number * minutes) / SAMPLES);
        samples.push(sample);
        say(JSON.stringify(sample));
      }
      await load.stop();
      const failures = judgeSamples(samples);
      if (!(await rig.settle())) failures.push('What was under way was not done within a minute of the end.');
      failures.push(...unexplainedAnswers(rig.recorder));
      const notes = [...samples.map((sample) => JSON.stringify(sample)), figures(rig.recorder)];
      return { count, violations: await rig.check(url), failures, recoveriesMs: [], notes };
    } finally {
      await rig.close();
    }
  },
};
