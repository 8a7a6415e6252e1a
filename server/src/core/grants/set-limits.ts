import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { lockUsableBalance } from '../balances/lock-balance.ts';
import { changeCaps, isRaised } from '../caps/change-caps.ts';
import type { Deps } from '../deps.ts';
import { alertAdmins } from '../organizations/alert-admins.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { recordEvent } from './actions.ts';
import type { GrantLimits } from './grant.ts';
import * as queries from './queries.ts';
import { requireLimits } from './require-terms.ts';

interface LimitSetting {
  /** `org_…`. */
  organizationId: string;
  environment: Environment;
  /** `grant_…`. */
  grantId: string;
  /** A limit that is left out stays as it is. */
  limits: Partial<GrantLimits>;
  actor: Actor;
}

/**
 * Sets what the orders of an agent may cost, and emails every admin if a limit was raised or removed. When this returns, no
 * order exceeds the new limits. What was ordered before counts.
 *
 * @throws OperatorError if the organization, its sandbox or an active grant with this id does not exist, or an amount is out
 *   of bounds
 */
export async function setLimits(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { organizationId, environment, grantId, limits, actor }: LimitSetting,
): Promise<void> {
  requireLimits(limits);
  const organization = await findOrganization(deps, organizationId);
  const { organization_id } = organization;
  const uuid = decodeId('grant', grantId);
  const set = async (client: PoolClient) => {
    const { lastId } = await lockUsableBalance(client, organization_id, environment);
    const now = new Date(deps.clock.now());
    const [grant] = uuid === undefined ? [] : await queries.lockActiveGrant(client, [organization_id, uuid, now]);
    if (grant === undefined || grant.environment !== environment)
      throw new OperatorError(`There is no active ${environment} grant ${grantId}.`);
    const owner = { organizationId: organization_id, environment };
    const { ask_above = grant.ask_above, ...amounts } = limits;
    const isOtherAmount = ask_above !== grant.ask_above;
    if (isOtherAmount) await queries.setAskAbove(client, [organization_id, grant.grant_id, ask_above]);
    const change = { ...owner, holderId: grant.grant_id, amounts, lastId, isMore: isOtherAmount };
    const changed = await changeCaps(client, deps, change);
    if (changed === undefined) return;
    const before = { ...changed.before, ask_above: grant.ask_above };
    const after = { ...changed.after, ask_above };
    const details = { name: grant.name, limits: after };
    await recordEvent(client, deps, actor, { ...owner, action: 'grant.limits_set', target: grantId, details });
    if (isRaised({ before, after }))
      await alertAdmins(client, deps, { organization, change: 'grant_limits_raised', about: grant.name, actor });
  };
  await inOrganization(deps.database, organization_id, set, { lockWaitMs: LOCK_TIMEOUT_MS });
}
