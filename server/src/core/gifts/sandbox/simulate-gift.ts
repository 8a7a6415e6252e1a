import { isDeepStrictEqual } from 'node:util';
import type { PoolClient } from 'pg';
import type { Caller } from '../../../platform/authentication/caller.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { LOCK_TIMEOUT_MS } from '../../../platform/database/connections.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import type { Deps } from '../../deps.ts';
import { claimGift } from '../claim/claim-gift.ts';
import { openGift } from '../claim/open-gift.ts';
import { recordEvent } from '../gift/actions.ts';
import { lockGift } from '../gift/lock-gift.ts';
import type { GiftRow } from '../gift/queries.ts';
import { settleDelivery } from '../send/settle-delivery.ts';
import { spendGift } from './spend-gift.ts';

type SimulationDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'issuers' | 'log' | 'screening' | 'cipher'>;

interface Step {
  act(deps: SimulationDeps, caller: Caller, giftId: string): Promise<GiftRow>;
  outcome: 'delivered' | 'failed' | 'opened' | 'claimed' | 'spent';
}

const steps = {
  deliver: { outcome: 'delivered', act: (deps, caller, giftId) => settleDelivery(deps, caller, giftId, 'delivered') },
  fail: { outcome: 'failed', act: (deps, caller, giftId) => settleDelivery(deps, caller, giftId, 'failed') },
  open: { outcome: 'opened', act: openGift },
  claim: { outcome: 'claimed', act: (deps, caller, giftId) => claimGift(deps, caller, giftId) },
  spend: { outcome: 'spent', act: spendGift },
} as const satisfies Record<string, Step>;

export type Simulation = keyof typeof steps;

/**
 * Simulates a recipient's act on a sandbox gift. A member's simulation that changes the gift is recorded in the audit log;
 * a key's is not.
 *
 * @param input.caller of a sandbox
 * @returns the updated gift
 * @throws BestowError `resource_missing`, `gift_delivery_not_simulatable`, `gift_already_delivered`,
 *   `gift_already_redeemed`, `gift_not_claimed`, `gift_on_hold`, `resource_locked`
 */
export function simulateGift(
  deps: SimulationDeps,
  input: { caller: Caller; giftId: string; simulation: Simulation; actor: Actor },
): Promise<GiftRow> {
  const { caller, giftId, simulation, actor } = input;
  const { act, outcome } = steps[simulation];
  if (actor.kind === 'key') return act(deps, caller, giftId);
  const simulateAndRecord = async (client: PoolClient) => {
    const database = { ...deps.database, read: client, change: client };
    const before = await lockGift(client, caller, giftId);
    const gift = await act({ ...deps, database }, caller, giftId);
    if (!isDeepStrictEqual(await lockGift(client, caller, giftId), before))
      await recordEvent(client, deps, actor, {
        organizationId: caller.organizationId,
        environment: caller.environment,
        action: 'gift.simulated',
        target: encodeId('gift', giftId),
        details: { outcome },
      });
    return gift;
  };
  return inOrganization(deps.database, caller.organizationId, simulateAndRecord, { lockWaitMs: LOCK_TIMEOUT_MS });
}
