import type { Deps } from '../deps.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import * as queries from './queries.ts';

/**
 * From the next request on every key of the organization is refused. Suspending it again keeps the first time.
 *
 * @throws OperatorError where there is no such organization
 */
export async function suspendOrganization(
  deps: Pick<Deps, 'database' | 'clock'>,
  id: string,
): Promise<PresentedOrganization> {
  const { organization_id } = await findOrganization(deps, id);
  const suspendedAt = new Date(deps.clock.now());
  const rows = await queries.suspendOrganization(deps.database.read, [organization_id, suspendedAt]);
  return presentOrganization(rows[0] as queries.OrganizationRow);
}
