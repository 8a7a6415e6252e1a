import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { type Injected, injectUnderLoad } from './inject-under-load.ts';
import { pick } from './random.ts';
import { openRig, type Rig } from './rig.ts';

const MESSAGE_TAKES_MS = 150;
const RESUMED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 250;
const WORKERS = 2;

/** Organizations that send messages, and little else. */
export const MESSAGE_LOAD = {
  only: ['placeOrder', 'replay', 'retrieveGift', 'redirect', 'fail'],
  perSecond: 30,
} as const;

export const killWorker: Fault = {
  name: 'kill-worker',
  summary: 'SIGKILL of a worker: its messages are sent within 60 s by the others, at most once more for each kill.',
  issueCount: 50,
  shortCount: 6,
  async run(context) {
    const { random } = context;
    const rig = await openRig({ random, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      const server = await rig.startServer({ args: ['--no-worker'] });
      const workers = await Promise.all(Array.from({ length: WORKERS }, () => rig.startWorker()));
      return await injectUnderLoad(rig, context, {
        load: { urls: [server.url], ...MESSAGE_LOAD },
        url: () => server.url,
        async inject() {
          const victim = pick(random, workers);
          const waiting = await pendingDeliveries(rig);
          victim.signal('SIGKILL');
          rig.recorder.crash();
          const later = resumed(rig, waiting);
          await victim.ended;
          workers[workers.indexOf(victim)] = await rig.startWorker();
          return { later };
        },
      });
    } finally {
      await rig.close();
    }
  },
};

/** The live messages that wait or are being sent. */
export async function pendingDeliveries(rig: Pick<Rig, 'sql'>): Promise<string[]> {
  const rows = await rig.sql<{ delivery_id: string }>(
    `select delivery_id from deliveries where environment = 'live' and state = 'pending'`,
  );
  return rows.map(({ delivery_id }) => delivery_id);
}

/** How long it takes until none of these messages waits any more; of none there is nothing to tell. */
export async function resumed(rig: Pick<Rig, 'sql'>, deliveryIds: readonly string[]): Promise<Injected> {
  if (deliveryIds.length === 0) return {};
  const startedAtMs = performance.now();
  for (;;) {
    const [left] = await rig.sql<{ count: number }>(
      `select count(*)::integer as count from deliveries where delivery_id = any($1) and state = 'pending'`,
      [deliveryIds],
    );
    const elapsedMs = performance.now() - startedAtMs;
    if (left?.count === 0) return { recoveryMs: elapsedMs };
    if (elapsedMs > RESUMED_WITHIN_MS)
      return { failures: [`${left?.count} of ${deliveryIds.length} messages were not sent within 60 s.`] };
    await sleep(LOOK_EVERY_MS);
  }
}
