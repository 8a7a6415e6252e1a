import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectOrderOwner } from './cancel-queries.ts';

/** Finds an order by its id (`ord_…`) alone, for the operator. @throws OperatorError if there is no such order */
export async function findOrderOwner(
  { database }: { database: Pick<Deps['database'], 'shards'> },
  id: string,
): Promise<{ scope: Scope; orderId: string }> {
  const orderId = decodeId('ord', id);
  const owner = orderId === undefined ? undefined : await selectOrderOwner.find(database.shards, [orderId]);
  if (orderId === undefined || owner === undefined) throw new OperatorError(`There is no order ${id}.`);
  return { scope: { organizationId: owner.organization_id, environment: owner.environment }, orderId };
}
