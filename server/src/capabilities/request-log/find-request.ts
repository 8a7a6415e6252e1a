import type { Deps } from '../../core/deps.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { LoggedRequest } from './portal-schema.ts';
import { presentRequest } from './present-request.ts';
import { selectRequest } from './queries.ts';

/**
 * Finds a logged request.
 *
 * @param requestId `req_…`; ignores surrounding spaces and case
 * @throws BestowError `resource_missing` if it is unknown, from another organization or environment, deleted or dropped
 */
export async function findRequest(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
  requestId: string,
): Promise<LoggedRequest> {
  const id = decodeId('req', requestId.trim().toLowerCase());
  const [row] = id === undefined ? [] : await selectRequest(deps.database.read, [organizationId, environment, id]);
  if (row === undefined) throw new BestowError('resource_missing');
  return presentRequest(row);
}
