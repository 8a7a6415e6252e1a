import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { injectUnderLoad } from './inject-under-load.ts';
import { probeOrder } from './probe-order.ts';
import { splitRandom } from './random.ts';
import { openRig } from './rig.ts';

const MESSAGE_TAKES_MS = 20;
const KNOWN_WITHIN_MS = 5_000;

/** A test runs beside others, which a machine of two cores feels. */
const SHARED_MACHINE = 4;

/** Around each kill. */
const PROBES_APART_MS = 30;

/** The last one sends only what is measured, so that no other order of its own is in the way. */
const ORGANIZATIONS = [
  { environments: ['live', 'sandbox'] },
  { environments: ['live', 'sandbox'], resets: true },
  { environments: ['live', 'sandbox'] },
  { environments: ['live', 'sandbox'] },
] as const;

export const killServer: Fault = {
  name: 'kill-server',
  summary: 'SIGKILL of the server: the same key sent again gives the order, or places it, within 5 s of the restart.',
  issueCount: 100,
  shortCount: 10,
  async run(context) {
    const { random, isQuick = false } = context;
    const rig = await openRig({ random, organizations: ORGANIZATIONS, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      let server = await rig.startServer();
      const urls = [server.url];
      const probed = rig.organizations.filter(({ number }) => number === ORGANIZATIONS.length);
      const organizations = rig.organizations.filter((organization) => !probed.includes(organization));
      return await injectUnderLoad(rig, context, {
        load: { urls, organizations },
        url: () => server.url,
        async inject() {
          const probes = probed.map(async (organization, index) => {
            const own = splitRandom(random);
            await sleep(index * PROBES_APART_MS * own());
            return await probeOrder(rig, { urls, organization, random: own });
          });
          await sleep(PROBES_APART_MS * random());
          server.signal('SIGKILL');
          rig.recorder.crash();
          await server.ended;
          server = await rig.startServer({ port: server.port });
          const readyAtMs = performance.now();
          const known = await Promise.all(probes);
          const recoveryMs = Math.max(...known.map(({ knownAtMs }) => knownAtMs)) - readyAtMs;
          const failures = known.flatMap(({ outcome }) =>
            outcome.kind === 'ok' ? [] : [`an order came to ${JSON.stringify(outcome)}.`],
          );
          if (recoveryMs > KNOWN_WITHIN_MS * (isQuick ? SHARED_MACHINE : 1))
            failures.push(`the last order was known ${Math.round(recoveryMs)} ms after the restart.`);
          return { recoveryMs, failures };
        },
      });
    } finally {
      await rig.close();
    }
  },
};
