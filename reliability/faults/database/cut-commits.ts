import { setTimeout as sleep } from 'node:timers/promises';
// What they name is known once they are loaded.
import '../../../server/src/cards/queries.ts';
import '../../../server/src/gifts/queries.ts';
import '../../../server/src/orders/queries.ts';
import { statements } from '../../../server/src/database/statement.ts';
import type { Moment } from '../../proxy/session.ts';
import type { PostgresProxy } from '../../proxy/start-proxy.ts';
import type { Fault } from '../fault.ts';
import { injectUnderLoad } from '../inject-under-load.ts';
import { probeOrder } from '../probe-order.ts';
import { pick } from '../random.ts';
import { openProxiedRig } from './proxied-rig.ts';

const MESSAGE_TAKES_MS = 5;
const BETWEEN_MS = { least: 10, most: 100 };
/** An order is answered within 8 s or its connection closed. */
const CUT_WITHIN_MS = 15_000;
const KNOWN_WITHIN_MS = 5_000;
/** With each sixth order a change of another kind is cut, where the load makes one in time. */
const ANOTHER_EACH = 6;
const ANOTHER_WITHIN_MS = 2_000;
const OTHERS = ['gifts.redirect', 'gifts.claim', 'gifts.open', 'cards.insert_purchase', 'gifts.settle_delivery'];

/** Whether one of the statements has this name. */
export const isNamed = (name: string) => (texts: readonly string[]) => {
  const text = statements.get(name);
  if (text === undefined) throw new Error(`There is no statement ${name}.`);
  return texts.includes(text);
};

async function isDoneWithin(done: Promise<void>, withinMs: number): Promise<boolean> {
  const patience = new AbortController();
  const late = sleep(withinMs, false, { signal: patience.signal }).catch(() => false);
  const isDone = await Promise.race([done.then(() => true), late]);
  patience.abort();
  return isDone;
}

function cutFault(moment: Moment, when: string, issueCount: number): Fault {
  return {
    name: `cut-${moment}-commit`,
    summary: `The connection to PostgreSQL is cut ${when} a commit reaches it: never an error object for a committed order.`,
    issueCount,
    shortCount: 20,
    async run(context) {
      const { random } = context;
      const { rig, proxy, startServer, close } = await openProxiedRig({ random, messageTakesMs: MESSAGE_TAKES_MS });
      let others = 0;
      try {
        const { url } = await startServer();
        const lasting = rig.organizations.filter(({ resets }) => !resets);
        const result = await injectUnderLoad(rig, context, {
          load: { urls: [url] },
          url: () => url,
          betweenMs: BETWEEN_MS,
          async inject(number) {
            const failures: string[] = [];
            const cut = proxy.cutCommit(moment, isNamed('orders.place'));
            const startedAtMs = performance.now();
            const probe = probeOrder(rig, { urls: [url], organization: pick(random, lasting), random });
            rig.recorder.crash();
            if (!(await isDoneWithin(cut, CUT_WITHIN_MS))) failures.push('no order came to be cut.');
            const { outcome, knownAtMs } = await probe;
            const recoveryMs = knownAtMs - startedAtMs;
            if (outcome.kind !== 'ok') failures.push(`an order came to ${JSON.stringify(outcome)}.`);
            if (recoveryMs > KNOWN_WITHIN_MS) failures.push(`it took ${Math.round(recoveryMs)} ms.`);
            if (number % ANOTHER_EACH === 0 && (await cutAnother(proxy, moment, pick(random, OTHERS)))) {
              rig.recorder.crash();
              others += 1;
            }
            return { recoveryMs, failures };
          },
        });
        return { ...result, notes: [...result.notes, `${others} changes of other kinds were cut too`] };
      } finally {
        await close();
      }
    },
  };
}

async function cutAnother(proxy: PostgresProxy, moment: Moment, name: string): Promise<boolean> {
  const isCut = await isDoneWithin(proxy.cutCommit(moment, isNamed(name)), ANOTHER_WITHIN_MS);
  proxy.cutNothing();
  return isCut;
}

export const cutBeforeCommit = cutFault('before', 'just before', 300);
export const cutDuringCommit = cutFault('during', 'the moment that', 100);
export const cutAfterCommit = cutFault('after', 'just after', 300);
