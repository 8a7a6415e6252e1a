import { sortById } from '../../platform/database/sort-by-id.ts';
import type { Deps } from '../deps.ts';
import { presentOrganization } from './present-organization.ts';
import { type OrganizationSummaryRow, selectOrganizations } from './queries.ts';

/** Lists all organizations, oldest first, with encoded ids. */
export async function listOrganizations(deps: Pick<Deps, 'database' | 'clock'>): Promise<OrganizationSummaryRow[]> {
  const rows = await selectOrganizations(deps.database.shards, [new Date(deps.clock.now())]);
  return sortById(rows, 'organization_id').map((row) => ({ ...row, ...presentOrganization(row) }));
}
