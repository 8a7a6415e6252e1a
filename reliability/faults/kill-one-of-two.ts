import { isOf } from '../checker/read-record.ts';
import type { Recorder } from '../record/recorder.ts';
import type { Fault } from './fault.ts';
import { injectUnderLoad } from './inject-under-load.ts';
import { probeOrder } from './probe-order.ts';
import { openRig } from './rig.ts';

const MESSAGE_TAKES_MS = 20;

export const killOneOfTwo: Fault = {
  name: 'kill-one-of-two',
  summary: 'Two servers, one killed and restarted in turn: clients that retry see every order placed exactly once.',
  issueCount: 30,
  shortCount: 6,
  async run(context) {
    const { random } = context;
    const rig = await openRig({ random, messageTakesMs: MESSAGE_TAKES_MS });
    try {
      const servers = await Promise.all([rig.startServer(), rig.startServer()]);
      const urls = servers.map(({ url }) => url);
      const [organization] = rig.organizations;
      if (organization === undefined) throw new Error('The rig has no organization.');
      const result = await injectUnderLoad(rig, context, {
        load: { urls },
        url: () => urls[0] ?? '',
        async inject(number) {
          const turn = (number % 2) as 0 | 1;
          const killedAtMs = performance.now();
          servers[turn].signal('SIGKILL');
          rig.recorder.crash();
          const probe = probeOrder(rig, { urls, organization, random });
          await servers[turn].ended;
          servers[turn] = await rig.startServer({ port: servers[turn].port });
          const { knownAtMs, outcome } = await probe;
          const failures = outcome.kind === 'ok' ? [] : [`an order came to ${JSON.stringify(outcome)}.`];
          return { recoveryMs: knownAtMs - killedAtMs, failures };
        },
      });
      result.failures.push(...neverKnown(rig.recorder));
      return result;
    } finally {
      await rig.close();
    }
  },
};

/** Keys whose client gave up without knowing what became of its order. */
export function neverKnown({ calls }: Recorder): string[] {
  const placements = calls.filter((call) => isOf(call, 'placeOrder'));
  const byKey = Map.groupBy(placements, ({ organizationId, idempotencyKey }) => `${organizationId} ${idempotencyKey}`);
  return [...byKey].flatMap(([key, attempts]) =>
    attempts.at(-1)?.outcome.kind === 'unknown' ? [`What became of ${key} was never known.`] : [],
  );
}
