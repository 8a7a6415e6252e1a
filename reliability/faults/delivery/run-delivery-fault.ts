import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadClient } from '../../load/client.ts';
import type { Fault, FaultContext, FaultResult } from '../fault.ts';
import { type Installation, openInstallation } from '../installation.ts';
import { splitRandom } from '../random.ts';
import { strangeErrors } from '../strange-errors.ts';
import { type DeliveryFault, deliveryFaults } from './delivery-faults.ts';
import { type DeliveryCustomer, strikeMessages } from './strike-messages.ts';
import { openProvider, type StruckProvider } from './struck-provider.ts';

/** The service gives up a silent server after 30 s and retries after 2, 4, 8 … s. */
const WITHIN_MS = 300_000;
/** How long an email to another domain may take. */
const BYSTANDER_WITHIN_MS = 10_000;
const POLL_MS = 100;
const LOAD_PER_SECOND = 20;

/** A fault for each way to strike messages, with real processes in real time. */
export const deliveryFaultRows: readonly Fault[] = deliveryFaults.map((fault) => ({
  name: fault.name,
  summary: fault.summary,
  fullCount: 20,
  shortCount: fault.strikes.length,
  run: (context) => run(fault, context),
}));

async function run(fault: DeliveryFault, { count, random, say }: FaultContext): Promise<FaultResult> {
  const installation = await openInstallation({ random });
  try {
    const provider = await openProvider(fault, installation.recorder);
    try {
      return await runOn(installation, provider, fault, { count, random, say });
    } finally {
      await provider.close();
    }
  } finally {
    await installation.close();
  }
}

async function runOn(
  installation: Installation,
  provider: StruckProvider,
  fault: DeliveryFault,
  { count, random, say }: Pick<FaultContext, 'count' | 'random' | 'say'>,
): Promise<FaultResult> {
  const authorities = join(installation.dataDir, 'authorities.pem');
  await writeFile(authorities, provider.certificates?.trusted.join('') ?? '');
  const { url } = await installation.startServer({
    variables: {
      ...provider.variables,
      ...(provider.certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities }),
    },
  });
  const load = installation.startLoad({ urls: [url], perSecond: LOAD_PER_SECOND });
  const organization = installation.organizations.find(({ environment }) => environment === 'live');
  if (organization === undefined) throw new Error('There is no live organization.');
  const { recorder } = installation;
  const own = splitRandom(random);
  const client = createLoadClient({ urls: [url], recorder, random: own, timeoutMs: 12_000, knownWithinMs: 20_000 });
  const customer: DeliveryCustomer = {
    client,
    organization,
    sql: (text, values) => installation.sql(text, values),
    async workUntil(isTrue, what) {
      say(`waits for ${what}`);
      const untilMs = performance.now() + WITHIN_MS;
      while (!(await isTrue())) {
        if (performance.now() > untilMs) throw new Error(`Not within ${WITHIN_MS / 1000} s: ${what}`);
        await sleep(POLL_MS);
      }
    },
  };
  const { failures, bystandersMs, settledMs } = await strikeMessages(customer, provider, fault, { count, random });
  await load.stop();
  client.close();
  if (!(await installation.settle(WITHIN_MS))) failures.push('Not every message of the load was settled.');
  failures.push(...strangeErrors(recorder));
  const slowest = Math.max(0, ...bystandersMs);
  if (slowest > BYSTANDER_WITHIN_MS) failures.push(`A message to another took ${(slowest / 1000).toFixed(1)} s.`);
  return {
    count: provider.struck(),
    violations: await installation.check(url),
    failures,
    recoveriesMs: settledMs,
    notes: [
      `${provider.copies.length} copies of messages taken; ${bystandersMs.length} messages to others, the slowest after ${(slowest / 1000).toFixed(1)} s.`,
    ],
  };
}
