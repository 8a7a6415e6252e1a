import type { Deps } from '../deps.ts';
import { presentOrganization } from './present-organization.ts';
import { type OrganizationSummaryRow, selectOrganizations } from './queries.ts';

/** All organizations, the oldest first, with the ids that are shown. */
export async function listOrganizations(deps: Pick<Deps, 'database'>): Promise<OrganizationSummaryRow[]> {
  const rows = await selectOrganizations(deps.database.read, []);
  return rows.map((row) => ({ ...row, ...presentOrganization(row) }));
}
