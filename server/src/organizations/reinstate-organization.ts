import type { Deps } from '../deps.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import * as queries from './queries.ts';

/**
 * Ends a suspension; where there is none, nothing changes.
 *
 * @throws OperatorError where there is no such organization
 */
export async function reinstateOrganization(deps: Pick<Deps, 'database'>, id: string): Promise<PresentedOrganization> {
  const { organization_id } = await findOrganization(deps, id);
  const rows = await queries.reinstateOrganization(deps.database.read, [organization_id]);
  return presentOrganization(rows[0] as queries.OrganizationRow);
}
