import { isDeepStrictEqual } from 'node:util';
import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
import { encodeId } from '../base/ids.ts';
import type { Scope } from '../base/principal.ts';
import { createSimulatedIssuer } from '../cards/simulated-issuer.ts';
import { inTransaction, waitBrieflyForLocks } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { requireUnlockedSandbox } from '../sandbox/require-unlocked-sandbox.ts';
import { claimGift } from './claim-gift.ts';
import { openGift } from './open-gift.ts';
import type { GiftRow } from './queries.ts';
import { settleDelivery } from './settle-delivery.ts';
import { lockGift } from './simulation-queries.ts';
import { spendGift } from './spend-gift.ts';

type SimulationDeps = Pick<Deps, 'cards' | 'clock' | 'database' | 'ids'>;

interface Step {
  act(deps: SimulationDeps, scope: Scope, giftId: string): Promise<GiftRow>;
  outcome: 'delivered' | 'failed' | 'opened' | 'claimed' | 'spent';
}

const steps = {
  deliver: { outcome: 'delivered', act: (deps, scope, giftId) => settleDelivery(deps, scope, giftId, 'delivered') },
  fail: { outcome: 'failed', act: (deps, scope, giftId) => settleDelivery(deps, scope, giftId, 'failed') },
  open: { outcome: 'opened', act: openGift },
  claim: { outcome: 'claimed', act: claimGift },
  spend: { outcome: 'spent', act: spendGift },
} as const satisfies Record<string, Step>;

export type Simulation = keyof typeof steps;

/**
 * Simulates a recipient's act on a sandbox gift. A member's simulation that changes the gift is recorded in the audit log;
 * a key's is not.
 *
 * @param input with UUIDs
 * @returns the updated gift
 * @throws BestowError `resource_missing`, `gift_delivery_not_simulatable`, `gift_already_delivered`,
 *   `gift_already_redeemed`, `gift_not_claimed`, `resource_locked`
 */
export function simulateGift(
  deps: SimulationDeps,
  input: { organizationId: string; giftId: string; simulation: Simulation; actor: Actor },
): Promise<GiftRow> {
  const { organizationId, giftId, simulation, actor } = input;
  const scope = { organizationId, environment: 'sandbox' } as const;
  const { act, outcome } = steps[simulation];
  if (actor.kind === 'key') return act(deps, scope, giftId);
  return inTransaction(deps.database.pool, async (client) => {
    const database = { ...deps.database, read: client, change: client };
    const cards = { ...deps.cards, sandbox: createSimulatedIssuer({ database }) };
    await requireUnlockedSandbox({ database }, scope);
    await waitBrieflyForLocks(client);
    const before = await lockGift(client, [organizationId, giftId]);
    const gift = await act({ ...deps, database, cards }, scope, giftId);
    if (!isDeepStrictEqual(await lockGift(client, [organizationId, giftId]), before))
      await recordEvent(client, deps, actor, {
        ...scope,
        action: 'gift.simulated',
        target: encodeId('gift', giftId),
        details: { outcome },
      });
    return gift;
  });
}
