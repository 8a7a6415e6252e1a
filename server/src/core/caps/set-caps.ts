import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { lockUsableBalance } from '../balances/lock-balance.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { recordEvent } from './actions.ts';
import { changeCaps, isRaised, requireCapAmounts } from './change-caps.ts';
import { notifyOfRaisedCap } from './notify-of-raised-cap.ts';
import * as queries from './queries.ts';

type SetDeps = Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>;

/** In cents; null: no cap. */
export type KeyCaps = Record<'hour' | 'day', number | null>;

interface CapSetting {
  /** `org_…`. */
  organizationId: string;
  environment: Environment;
  /** `key_…`; undefined: all orders of the environment. */
  keyId?: string | undefined;
  /** A period that is left out stays as it is. */
  amounts: Partial<KeyCaps>;
  actor: Actor;
}

/**
 * Sets what orders may cost per clock hour and per day in UTC, and emails every admin if a cap was raised or removed. What
 * was ordered in the current window counts. A key's cap holds also for the keys that replace it.
 *
 * When this returns, no order exceeds the new caps.
 *
 * @throws OperatorError if the organization, its sandbox or the key does not exist, or an amount is out of bounds
 */
export async function setCaps(
  deps: SetDeps,
  { organizationId, environment, keyId, amounts, actor }: CapSetting,
): Promise<void> {
  const organization = await findOrganization(deps, organizationId);
  const { organization_id } = organization;
  requireCapAmounts(amounts);
  const set = async (client: PoolClient) => {
    const { lastId } = await lockUsableBalance(client, organization_id, environment);
    const holder = await findHolder(client, deps, { organizationId: organization_id, environment, keyId });
    const change = { organizationId: organization_id, environment, holderId: holder.holderId, lastId };
    const changed = await changeCaps(client, deps, { ...change, amounts });
    if (changed === undefined) return;
    const { before, after } = changed;
    const details = { key_name: holder.name ?? null, hour_cents: after.hour, day_cents: after.day };
    const event = { organizationId: organization_id, environment, action: 'spending_cap.set', details } as const;
    await recordEvent(client, deps, actor, { ...event, ...(keyId !== undefined && { target: keyId }) });
    if (isRaised(changed))
      await notifyOfRaisedCap(client, deps, { organization, environment, keyName: holder.name, before, after, actor });
  };
  // The operator's command has its own connections.
  await inOrganization(
    deps.database,
    organization_id,
    set,
    actor.kind === 'operator' ? {} : { lockWaitMs: LOCK_TIMEOUT_MS },
  );
}

async function findHolder(
  client: PoolClient,
  { clock }: SetDeps,
  {
    organizationId,
    environment,
    keyId,
  }: { organizationId: string; environment: Environment; keyId: string | undefined },
): Promise<{ holderId: string; name?: string }> {
  if (keyId === undefined) return { holderId: organizationId };
  const uuid = decodeId('key', keyId);
  const keys = await queries.selectHolders(client, [organizationId, environment, new Date(clock.now())]);
  const key = keys.find(({ key_id }) => key_id === uuid);
  if (key === undefined) throw new OperatorError(`There is no ${environment} key ${keyId}.`);
  return { holderId: key.holder_id, name: key.name };
}
