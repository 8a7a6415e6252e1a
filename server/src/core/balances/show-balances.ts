import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { selectBalances } from './queries.ts';

interface ShownBalance {
  organization_id: string;
  environment: Environment;
  /** Cents. */
  balance: number;
}

/**
 * Shows both balances of an organization.
 *
 * @throws OperatorError if the organization does not exist
 */
export async function showBalances(deps: Pick<Deps, 'database'>, organizationId: string): Promise<ShownBalance[]> {
  const { organization_id } = await findOrganization(deps, organizationId);
  const rows = await selectBalances(deps.database.read, [organization_id]);
  return (['live', 'sandbox'] as const).map((environment) => ({
    organization_id: encodeId('org', organization_id),
    environment,
    balance: rows.find((row) => row.environment === environment)?.balance_cents ?? 0,
  }));
}
