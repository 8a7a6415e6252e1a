import { setTimeout as sleep } from 'node:timers/promises';
import { isOf } from '../checker/read-record.ts';
import type { Fault } from './fault.ts';
import { injectUnderLoad } from './inject-under-load.ts';
import { openRig, type Rig } from './rig.ts';

const MESSAGE_TAKES_MS = 20;
const ENDS_WITHIN_MS = 10_000;
/** For clients to read what was sent to them before it ended. */
const ANSWERS_READ_MS = 300;

export const stopServer: Fault = {
  name: 'stop-server',
  summary: 'SIGTERM under load: what the server has begun it answers, and it ends within 10 s.',
  issueCount: 30,
  shortCount: 6,
  async run(context) {
    const { random } = context;
    const rig = await openRig({ random, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      let server = await rig.startServer();
      const result = await injectUnderLoad(rig, context, {
        load: { urls: [server.url], clients: 16, perSecond: 150 },
        url: () => server.url,
        // Clients that met a server that was gone come back after a second.
        betweenMs: { least: 1_500, most: 3_000 },
        async inject() {
          const stoppedAtMs = performance.now();
          server.signal('SIGTERM');
          const { code, signal, stderr } = await server.ended;
          const recoveryMs = performance.now() - stoppedAtMs;
          const failures: string[] = [];
          if (code !== 0) failures.push(`it ended with ${code ?? signal}: ${stderr}`);
          if (recoveryMs > ENDS_WITHIN_MS) failures.push(`it took ${Math.round(recoveryMs)} ms to end.`);
          await sleep(ANSWERS_READ_MS);
          failures.push(...(await logged(rig)));
          server = await rig.startServer({ port: server.port });
          return { recoveryMs, failures };
        },
      });
      server.signal('SIGTERM');
      await server.ended;
      result.failures.push(...(await unanswered(rig)));
      return result;
    } finally {
      await rig.close();
    }
  },
};

/** Orders that exist, though none of their attempts was answered by the one that placed it. */
async function unanswered(rig: Rig): Promise<string[]> {
  const placements = rig.recorder.calls.filter((call) => isOf(call, 'placeOrder', 'replay'));
  const placed = new Set(
    placements.flatMap(({ outcome, idempotencyKey }) =>
      outcome.kind === 'ok' && outcome.status === 201 ? [idempotencyKey] : [],
    ),
  );
  const lost = [...new Set(placements.map(({ idempotencyKey }) => idempotencyKey))].filter((key) => !placed.has(key));
  const rows = await rig.sql<{ idempotency_key: string }>(
    'select idempotency_key from orders where idempotency_key = any($1)',
    [lost],
  );
  return rows.map(({ idempotency_key }) => `Order ${idempotency_key} was placed by a request that was not answered.`);
}

/**
 * A connection that the server closes may have a request on its way that it never read: nothing comes of that. But of
 * those that it read, and so wrote into its own log of requests, clients must have every answer.
 */
async function logged(rig: Rig): Promise<string[]> {
  const [row] = await rig.sql<{ count: number }>('select count(*)::integer as count from request_log');
  const answers = rig.recorder.calls.filter(
    (call) => call.outcome.kind !== 'unknown' && !isOf(call, 'fund', 'openPage', 'pressOpen', 'pressClaim', 'health'),
  ).length;
  const taken = row?.count ?? 0;
  return taken > answers ? [`the server took ${taken} requests in all, and ${answers} were answered.`] : [];
}
