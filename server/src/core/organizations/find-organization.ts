import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { type OrganizationRow, selectOrganization } from './queries.ts';

/**
 * Finds an organization by its `org_…` id; the row has the UUID.
 *
 * @throws OperatorError if it does not exist
 */
export async function findOrganization(deps: Pick<Deps, 'database'>, id: string): Promise<OrganizationRow> {
  const uuid = decodeId('org', id);
  const [row] = uuid === undefined ? [] : await selectOrganization(deps.database.read, [uuid]);
  if (row === undefined) throw new OperatorError(`There is no organization ${id}.`);
  return row;
}
