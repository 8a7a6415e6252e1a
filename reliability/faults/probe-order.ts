import { linkGift } from '../../server/test/harness/api-client.ts';
import { createLoadClient } from '../load/client.ts';
import type { LoadOrganization } from '../load/world.ts';
import type { Outcome } from '../record/recorder.ts';
import { splitRandom } from './random.ts';
import type { Rig } from './rig.ts';

/** An order whose fate is asked for until it is known. */
export interface ProbedOrder {
  /** When the last answer came, by `performance.now()`. */
  knownAtMs: number;
  outcome: Outcome;
}

const ANSWER_WITHIN_MS = 12_000;
const KNOWN_WITHIN_MS = 20_000;

let probes = 0;

/** Places an order, and sends the same key again until it is known to be placed, as every client should. */
export async function probeOrder(
  { recorder }: Pick<Rig, 'recorder'>,
  {
    urls,
    organization,
    random: shared,
  }: { urls: readonly string[]; organization: LoadOrganization; random: () => number },
): Promise<ProbedOrder> {
  // How often it is tried again must not change what is injected next.
  const random = splitRandom(shared);
  const client = createLoadClient({
    urls,
    recorder,
    random,
    timeoutMs: ANSWER_WITHIN_MS,
    knownWithinMs: KNOWN_WITHIN_MS,
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
