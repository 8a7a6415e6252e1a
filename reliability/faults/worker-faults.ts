import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './installation.ts';
import { type Injected, loadFault } from './load-fault.ts';
import { pick } from './random.ts';

const RESUMED_WITHIN_MS = 60_000;
const FROZEN_MS = 90_000;
/** For a worker to record what it did before it froze. */
const THAWED_MS = 5_000;
/** Mostly acts that send messages. */
const MESSAGE_LOAD = { only: ['placeOrder', 'replay', 'retrieveGift', 'redirect', 'fail'], perSecond: 30 } as const;
const OPTIONS = { messageTakesMs: 150 };

async function startProcesses(installation: Installation) {
  const server = await installation.startServer({ args: ['--no-worker'] });
  return { server, workers: await Promise.all([installation.startWorker(), installation.startWorker()]) };
}

export const killWorker = loadFault({
  name: 'kill-worker',
  summary: 'SIGKILL of a worker: others send its messages within 60 s, with at most one duplicate for each kill.',
  fullCount: 50,
  shortCount: 6,
  options: OPTIONS,
  async start(installation, { random }) {
    const { server, workers } = await startProcesses(installation);
    return {
      load: { urls: [server.url], ...MESSAGE_LOAD },
      url: () => server.url,
      async inject() {
        const victim = pick(random, workers);
        const waiting = await pendingDeliveries(installation);
        victim.signal('SIGKILL');
        installation.recorder.crash();
        const later = resumed(installation, waiting);
        await victim.ended;
        workers[workers.indexOf(victim)] = await installation.startWorker();
        return { later };
      },
    };
  },
});

export const freezeWorker = loadFault({
  name: 'freeze-worker',
  summary: 'SIGSTOP of a worker for 90 s: others send its messages within 60 s; its late records change nothing.',
  fullCount: 5,
  shortCount: 1,
  options: OPTIONS,
  async start(installation, { random }) {
    const { server, workers } = await startProcesses(installation);
    return {
      load: { urls: [server.url], ...MESSAGE_LOAD, perSecond: 15 },
      url: () => server.url,
      async inject() {
        const frozen = pick(random, workers);
        const waiting = await pendingDeliveries(installation);
        frozen.signal('SIGSTOP');
        installation.recorder.crash();
        const frozenAtMs = performance.now();
        const { failures = [], ...felt } = await resumed(installation, waiting);
        await sleep(Math.max(0, frozenAtMs + FROZEN_MS - performance.now()));
        const lateChanges = await watchSettled(installation);
        frozen.signal('SIGCONT');
        // The worker goes on sending.
        installation.recorder.crash();
        await sleep(THAWED_MS);
        const { exitCode, signalCode } = frozen.child;
        const hasEnded = exitCode !== null || signalCode !== null;
        const ended = hasEnded ? ['the worker ended when it went on.'] : [];
        return { ...felt, failures: [...failures, ...(await lateChanges()), ...ended] };
      },
      async finish({ failures }) {
        for (const worker of workers) worker.signal('SIGTERM');
        const codes = await Promise.all(workers.map(async ({ ended }) => (await ended).code));
        if (codes.some((code) => code !== 0)) failures.push(`The workers ended with ${codes.join(', ')}.`);
      },
    };
  },
});

/** Returns the live messages that wait or are being sent. */
async function pendingDeliveries({ sql }: Installation): Promise<string[]> {
  const rows = await sql<{ delivery_id: string }>(
    `select delivery_id from deliveries where environment = 'live' and state = 'pending'`,
  );
  return rows.map(({ delivery_id }) => delivery_id);
}

/** Waits until none of these messages is pending. */
async function resumed({ sql }: Installation, deliveryIds: readonly string[]): Promise<Injected> {
  if (deliveryIds.length === 0) return {};
  const startedAtMs = performance.now();
  for (;;) {
    const [left] = await sql<{ count: number }>(
      `select count(*)::integer as count from deliveries where delivery_id = any($1) and state = 'pending'`,
      [deliveryIds],
    );
    const elapsedMs = performance.now() - startedAtMs;
    if (left?.count === 0) return { recoveryMs: elapsedMs };
    if (elapsedMs > RESUMED_WITHIN_MS)
      return { failures: [`${left?.count} of ${deliveryIds.length} messages were not sent within 60 s.`] };
    await sleep(250);
  }
}

/**
 * Reads the deliveries that are sent or failed. Nothing may change them; a redirect adds a row.
 *
 * @returns reads them again and reports changes
 */
export async function watchSettled({ sql }: Pick<Installation, 'sql'>): Promise<() => Promise<string[]>> {
  const read = async () => {
    const rows = await sql<{ delivery_id: string; text: string }>(
      `select delivery_id, deliveries::text as text from deliveries where environment = 'live' and state <> 'pending'`,
    );
    return new Map(rows.map(({ delivery_id, text }) => [delivery_id, text]));
  };
  const before = await read();
  return async () => {
    const after = await read();
    return [...before]
      .filter(([id, text]) => after.get(id) !== text)
      .map(([id, text]) => `delivery ${id} was ${text}, and ${after.get(id)} after the worker went on.`);
  };
}
