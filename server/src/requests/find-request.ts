import { decodeId } from '../base/ids.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import type { LoggedRequest } from './portal-schema.ts';
import { presentRequest } from './present-request.ts';
import { selectRequest } from './queries.ts';

/**
 * The logged request of this id.
 *
 * @param requestId `req_…`, as a developer copied it: blanks around it and capitals do not matter
 * @throws BestowError `resource_missing`: unknown, another organization's or environment's, forgotten, or left out
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
