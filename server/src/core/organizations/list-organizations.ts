import { sortById } from '../../platform/database/sort-by-id.ts';
import type { Deps } from '../deps.ts';
import { presentOrganization } from './present-organization.ts';
import { type OrganizationSummaryRow, selectOrganizations } from './queries.ts';

type ListDeps = Pick<Deps, 'database' | 'clock'>;

/** Lists all organizations, oldest first, with encoded ids. */
export const listOrganizations = async ({ database, clock }: ListDeps): Promise<OrganizationSummaryRow[]> =>
  inOrder(await selectOrganizations(database.shards, [new Date(clock.now())]));

/** The same without those of a shard that does not answer. */
export const listLivingOrganizations = async ({ database, clock }: ListDeps): Promise<OrganizationSummaryRow[]> =>
  inOrder(await selectOrganizations.ofLiving(database.shards, [new Date(clock.now())]));

function inOrder(rows: OrganizationSummaryRow[]): OrganizationSummaryRow[] {
  return sortById(rows, 'organization_id').map((row) => ({ ...row, ...presentOrganization(row) }));
}
