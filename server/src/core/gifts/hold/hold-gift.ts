import type { PoolClient } from 'pg';
import type { Actor } from '../../../platform/base/actor.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { LOCK_TIMEOUT_MS } from '../../../platform/database/connections.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import type { Deps } from '../../deps.ts';
import { recordEvent } from '../gift/actions.ts';
import type { HeldBy } from '../gift/held.ts';
import * as queries from './hold-queries.ts';

type HoldDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

interface Hold {
  scope: Scope;
  /** UUID. */
  giftId: string;
  actor: Actor;
  /** For the audit log. */
  reason?: string;
  /** In the transaction of a new hold. */
  alongside?: (client: PoolClient) => Promise<void>;
}

/**
 * Holds a gift: from the return on, no one can claim it, see its card's number, or get a new link. Holding again changes
 * nothing.
 *
 * @throws BestowError `resource_missing`, `gift_canceled`, `resource_locked`
 */
export const holdGift = (deps: HoldDeps, hold: Hold): Promise<void> => change(deps, hold, 'gift.held');

/**
 * Ends the hold of a gift; its organization's hold stays.
 *
 * @returns what still holds it
 * @throws BestowError as `holdGift`
 */
export async function releaseGift(deps: HoldDeps, hold: Hold): Promise<HeldBy> {
  const { organizationId, environment } = hold.scope;
  await change(deps, hold, 'gift.released');
  const [gift] = await queries.selectHold(deps.database.pool, [organizationId, environment, hold.giftId]);
  return gift?.held_by ?? null;
}

async function change(
  deps: HoldDeps,
  { scope, giftId, actor, reason, alongside }: Hold,
  action: 'gift.held' | 'gift.released',
) {
  const { organizationId, environment } = scope;
  const one = [organizationId, environment, giftId] as const;
  const now = new Date(deps.clock.now());
  await inOrganization(
    deps.database,
    organizationId,
    async (client) => {
      const changed =
        action === 'gift.held'
          ? await queries.holdGift(client, [...one, now])
          : await queries.releaseGift(client, [...one]);
      if (changed.length > 0) {
        const target = encodeId('gift', giftId);
        const taken =
          action === 'gift.held'
            ? { action, details: reason === undefined ? {} : { reason } }
            : { action, details: {} };
        await recordEvent(client, deps, actor, { organizationId, environment, target, ...taken });
        await alongside?.(client);
        // Last, because the counter's row is locked until the commit.
        await (action === 'gift.held' ? queries.appendHeld : queries.appendReleased)(client, [...one, now]);
        return;
      }
      const [gift] = await queries.selectHold(client, [...one]);
      if (gift === undefined) throw new BestowError('resource_missing');
      if (gift.canceled_at !== null) throw new BestowError('gift_canceled');
      if (gift.claiming_at !== null && action === 'gift.held') throw new BestowError('resource_locked');
    },
    { lockWaitMs: LOCK_TIMEOUT_MS },
  );
}
