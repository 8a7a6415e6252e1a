import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadClient } from '../../load/client.ts';
import type { Fault, FaultContext, FaultResult } from '../fault.ts';
import { splitRandom } from '../random.ts';
import { openRig, type Rig } from '../rig.ts';
import { strangeErrors } from '../strange-errors.ts';
import { type DeliveryFault, deliveryFaults } from './delivery-faults.ts';
import { openPost, type Post } from './post.ts';
import { type DeliverySite, strikeMessages } from './strike-messages.ts';

/** A silent server is given up after 30 s, and a message is tried again after 2, 4, 8 … s. */
const WITHIN_MS = 300_000;
const POLL_MS = 100;
const LOAD_PER_SECOND = 20;

/** A row of the table of faults for each way to strike messages; real processes, in real time. */
export const deliveryRows: readonly Fault[] = deliveryFaults.map((fault) => ({
  name: fault.name,
  summary: fault.summary,
  issueCount: 20,
  shortCount: fault.strikes.length,
  run: (context) => run(fault, context),
}));

async function run(fault: DeliveryFault, { count, random, say }: FaultContext): Promise<FaultResult> {
  const rig = await openRig({ random });
  try {
    const post = await openPost(fault, rig.recorder);
    try {
      return await runOn(rig, post, fault, { count, random, say });
    } finally {
      await post.close();
    }
  } finally {
    await rig.close();
  }
}

async function runOn(
  rig: Rig,
  post: Post,
  fault: DeliveryFault,
  { count, random, say }: Pick<FaultContext, 'count' | 'random' | 'say'>,
): Promise<FaultResult> {
  const authorities = join(rig.dataDir, 'authorities.pem');
  await writeFile(authorities, post.certificates?.trusted.join('') ?? '');
  const { url } = await rig.startServer({
    variables: {
      ...post.variables,
      ...(post.certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities }),
    },
  });
  const load = rig.startLoad({ urls: [url], perSecond: LOAD_PER_SECOND });
  const organization = rig.organizations.find(({ environment }) => environment === 'live');
  if (organization === undefined) throw new Error('There is no live organization.');
  const { recorder } = rig;
  const own = splitRandom(random);
  const client = createLoadClient({ urls: [url], recorder, random: own, timeoutMs: 12_000, knownWithinMs: 20_000 });
  const site: DeliverySite = {
    client,
    organization,
    sql: (text, values) => rig.sql(text, values),
    async workUntil(isTrue, what) {
      say(`waits for ${what}`);
      const untilMs = performance.now() + WITHIN_MS;
      while (!(await isTrue())) {
        if (performance.now() > untilMs) throw new Error(`Not within ${WITHIN_MS / 1000} s: ${what}`);
        await sleep(POLL_MS);
      }
    },
  };
  const { failures, bystandersMs, settledMs } = await strikeMessages(site, post, fault, { count, random });
  await load.stop();
  client.close();
  if (!(await rig.settle(WITHIN_MS))) failures.push('Not every message of the load was settled.');
  failures.push(...strangeErrors(recorder));
  const slowest = Math.max(0, ...bystandersMs);
  return {
    count: post.struck(),
    violations: await rig.check(url),
    failures,
    recoveriesMs: settledMs,
    notes: [
      `${post.copies.length} copies of messages taken; ${bystandersMs.length} messages to others, the slowest after ${(slowest / 1000).toFixed(1)} s.`,
    ],
  };
}
