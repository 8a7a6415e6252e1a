import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { injectUnderLoad } from './inject-under-load.ts';
import { MESSAGE_LOAD, pendingDeliveries, resumed } from './kill-worker.ts';
import { pick } from './random.ts';
import { openRig, type Rig } from './rig.ts';

const MESSAGE_TAKES_MS = 150;
const WORKERS = 2;
const FROZEN_MS = 90_000;
/** What a worker may need to record what it did before it froze. */
const THAWED_MS = 5_000;

export const freezeWorker: Fault = {
  name: 'freeze-worker',
  summary:
    'SIGSTOP of a worker for 90 s: others send its messages within 60 s, and what it records late changes nothing.',
  issueCount: 5,
  shortCount: 1,
  async run(context) {
    const { random } = context;
    const rig = await openRig({ random, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      const server = await rig.startServer({ args: ['--no-worker'] });
      const workers = await Promise.all(Array.from({ length: WORKERS }, () => rig.startWorker()));
      const result = await injectUnderLoad(rig, context, {
        load: { urls: [server.url], ...MESSAGE_LOAD, perSecond: 15 },
        url: () => server.url,
        async inject() {
          const frozen = pick(random, workers);
          const waiting = await pendingDeliveries(rig);
          frozen.signal('SIGSTOP');
          rig.recorder.crash();
          const frozenAtMs = performance.now();
          const { failures = [], ...felt } = await resumed(rig, waiting);
          await sleep(Math.max(0, frozenAtMs + FROZEN_MS - performance.now()));
          const lateChanges = await watchSettled(rig);
          frozen.signal('SIGCONT');
          // What it was sending it goes on to send.
          rig.recorder.crash();
          await sleep(THAWED_MS);
          const { exitCode, signalCode } = frozen.child;
          return {
            ...felt,
            failures: [
              ...failures,
              ...(await lateChanges()),
              ...(exitCode === null && signalCode === null ? [] : ['the worker ended when it went on.']),
            ],
          };
        },
      });
      for (const worker of workers) worker.signal('SIGTERM');
      const codes = await Promise.all(workers.map(async ({ ended }) => (await ended).code));
      if (codes.some((code) => code !== 0)) result.failures.push(`The workers ended with ${codes.join(', ')}.`);
      return result;
    } finally {
      await rig.close();
    }
  },
};

/**
 * Looks at what was recorded of messages that were sent; nothing may change it but a redirect, which makes another row.
 *
 * @returns looks again, and says what a late worker changed
 */
export async function watchSettled(rig: Pick<Rig, 'sql'>): Promise<() => Promise<string[]>> {
  const before = await settledDeliveries(rig);
  return async () => {
    const after = await settledDeliveries(rig);
    return [...before]
      .filter(([id, text]) => after.get(id) !== text)
      .map(([id, text]) => `delivery ${id} was ${text}, and ${after.get(id)} after the worker went on.`);
  };
}

async function settledDeliveries(rig: Pick<Rig, 'sql'>): Promise<Map<string, string>> {
  const rows = await rig.sql<{ delivery_id: string; text: string }>(
    `select delivery_id, deliveries::text as text from deliveries where environment = 'live' and state <> 'pending'`,
  );
  return new Map(rows.map(({ delivery_id, text }) => [delivery_id, text]));
}
