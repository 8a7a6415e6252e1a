import { linkGift } from '../../server/test/harness/api-client.ts';
import { HUNG_AFTER_MS } from '../../server/test/harness/server-process.ts';
import { createLoadClient } from '../load/client.ts';
import type { LoadOrganization } from '../load/state.ts';
import type { Outcome } from '../record/recorder.ts';
import type { Installation } from './installation.ts';
import { splitRandom } from './random.ts';

/** An order that is retried until its outcome is known. */
export interface ProbedOrder {
  /** `performance.now()` at the last answer. */
  knownAtMs: number;
  outcome: Outcome;
}

const ANSWER_WITHIN_MS = 12_000;

let probes = 0;

/** Places an order and retries with the same key until the outcome is known. */
export async function probeOrder(
  { recorder }: Pick<Installation, 'recorder'>,
  {
    urls,
    organization,
    random: shared,
  }: { urls: readonly string[]; organization: LoadOrganization; random: () => number },
): Promise<ProbedOrder> {
  // The number of retries must not change the next injection.
  const random = splitRandom(shared);
  const client = createLoadClient({
    urls,
    recorder,
    random,
    timeoutMs: ANSWER_WITHIN_MS,
    knownWithinMs: HUNG_AFTER_MS,
  });
  probes += 1;
  try {
    const outcome = await client.untilKnown({
      organization,
      operation: 'placeOrder',
      method: 'POST',
      path: '/v1/orders',
      idempotencyKey: `probe-${probes}-${Math.floor(random() * 2 ** 32)}`,
      request: { gifts: [linkGift(1_000)] },
    });
    return { outcome, knownAtMs: performance.now() };
  } finally {
    client.close();
  }
}
