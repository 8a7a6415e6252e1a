import type { Deps } from '../../core/deps.ts';
import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import * as queries from './queries.ts';

/** @throws BestowError as `requireAdmitted` */
export async function listEndpoints(
  { database }: Pick<Deps, 'database'>,
  caller: Caller,
): Promise<queries.EndpointRow[]> {
  const rows = await queries.selectEndpoints(database.read, parametersOf(caller));
  requireAdmitted(caller, rows[0]);
  return rows.filter(({ endpoint_id }) => endpoint_id !== null);
}

/** @throws BestowError `resource_missing`; as `requireAdmitted` */
export async function findEndpoint(
  client: Queryable,
  caller: Caller,
  endpointId: string,
): Promise<queries.EndpointRow & queries.EndpointSecrets> {
  const [found] = await queries.selectEndpoint(client, [...parametersOf(caller), endpointId]);
  requireAdmitted(caller, found);
  if (found.endpoint_id === null) throw new BestowError('resource_missing');
  return found;
}

/** Finds the owner of an endpoint; for the operator only. */
export async function findEndpointOwner(
  { database }: Pick<Deps, 'database'>,
  endpointId: string | undefined,
): Promise<Pick<Caller, 'organizationId' | 'environment'> | undefined> {
  const row =
    endpointId === undefined ? undefined : await queries.selectEndpointOwner.find(database.shards, [endpointId]);
  return row && { organizationId: row.organization_id, environment: row.environment };
}
