import type { Deps } from '../deps.ts';
import { presentOrganization } from './present-organization.ts';
import { type OrganizationSummaryRow, selectOrganizations } from './queries.ts';

/** Lists all organizations, oldest first, with encoded ids. */
export async function listOrganizations(deps: Pick<Deps, 'database'>): Promise<OrganizationSummaryRow[]> {
  const rows = await selectOrganizations(deps.database.read, []);
  return rows.map((row) => ({ ...row, ...presentOrganization(row) }));
}
