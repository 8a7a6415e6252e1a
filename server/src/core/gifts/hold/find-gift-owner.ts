import { decodeId } from '../../../platform/base/ids.ts';
import { OperatorError } from '../../../platform/base/operator-error.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import { selectGiftOwner } from './hold-queries.ts';

/** Finds a gift by its id (`gift_…`) alone, for the operator. @throws OperatorError if there is no such gift */
export async function findGiftOwner(
  { database }: { database: Pick<Deps['database'], 'shards'> },
  id: string,
): Promise<{ scope: Scope; giftId: string }> {
  const giftId = decodeId('gift', id);
  const owner = giftId === undefined ? undefined : await selectGiftOwner.find(database.shards, [giftId]);
  if (giftId === undefined || owner === undefined) throw new OperatorError(`There is no gift ${id}.`);
  return { scope: { organizationId: owner.organization_id, environment: owner.environment }, giftId };
}
