import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { type ListedGrant, listGrants } from './list-grants.ts';
import { selectGrantOrganization } from './queries.ts';

/** Finds a grant in any organization; for the operator only. @throws OperatorError if it does not exist */
export async function findGrant(
  deps: Pick<Deps, 'database' | 'clock'>,
  id: string,
): Promise<{ organizationId: string; grant: ListedGrant }> {
  const grantId = decodeId('grant', id);
  const row = grantId === undefined ? undefined : await selectGrantOrganization.find(deps.database.shards, [grantId]);
  const organizationId = row && encodeId('org', row.organization_id);
  const grants = organizationId === undefined ? [] : await listGrants(deps, organizationId);
  const grant = grants.find(({ grant_id }) => grant_id === id);
  if (organizationId === undefined || grant === undefined) throw new OperatorError(`There is no grant ${id}.`);
  return { organizationId, grant };
}
