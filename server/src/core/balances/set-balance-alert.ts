import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { recordEvent } from './actions.ts';
import { findBalanceAlert } from './find-balance-alert.ts';
import type { BalanceAlert } from './portal-schema.ts';
import * as queries from './queries.ts';

const LARGEST_CENTS = Number.MAX_SAFE_INTEGER;

interface BalanceAlertSetting {
  /** `org_…`. */
  organizationId: string;
  environment: Environment;
  /** From 1 to 9,007,199,254,740,991; null turns the alert off. */
  thresholdCents: number | null;
  actor: Actor;
}

/**
 * Sets the low-balance alert (`warn-of-low-balances.ts`). If the balance is already lower, the email follows within a
 * minute, unless one was sent for an earlier threshold.
 *
 * @returns undefined if the alert is off
 * @throws OperatorError if the organization does not exist, or the threshold is out of bounds
 */
export async function setBalanceAlert(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizationId, environment, thresholdCents, actor }: BalanceAlertSetting,
): Promise<BalanceAlert | undefined> {
  if (
    thresholdCents !== null &&
    !(Number.isInteger(thresholdCents) && thresholdCents >= 1 && thresholdCents <= LARGEST_CENTS)
  )
    throw new OperatorError(`The threshold must be a whole number of cents from 1 to ${LARGEST_CENTS}.`);
  const { organization_id } = await findOrganization(deps, organizationId);
  await inOrganization(deps.database, organization_id, async (client) => {
    const [changed] =
      thresholdCents === null
        ? await queries.deleteBalanceAlert(client, [organization_id, environment])
        : await queries.setBalanceAlert(client, [organization_id, environment, thresholdCents]);
    if (changed !== undefined)
      await recordEvent(client, deps, actor, {
        organizationId: organization_id,
        environment,
        action: 'balance_alert.set',
        details: { threshold_cents: thresholdCents },
      });
  });
  return await findBalanceAlert(deps, { organizationId: organization_id, environment });
}
