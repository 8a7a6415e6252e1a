import type { Deps } from '../deps.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import { selectOrganizations } from './queries.ts';

interface OrganizationSummary extends PresentedOrganization {
  active_members: number;
  active_keys: number;
  has_sandbox: boolean;
}

/** All organizations, the oldest first. */
export async function listOrganizations(deps: Pick<Deps, 'database'>): Promise<OrganizationSummary[]> {
  const rows = await selectOrganizations(deps.database.read, []);
  return rows.map((row) => ({
    ...presentOrganization(row),
    active_members: row.active_members,
    active_keys: row.active_keys,
    has_sandbox: row.has_sandbox,
  }));
}
