import type { PoolClient } from 'pg';
import type { Environment } from '../../platform/base/environment.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { earlierReference, ownReference } from './own-references.ts';
import { selectKnownReferences } from './queries.ts';

const MOST_TIMES = 100;

/**
 * Finds the reference of the next taking back of a gift, under the lock of its balance: the first that no entry has. Entries of
 * releases that had another reference count too.
 *
 * @param giftId `gift_…`
 */
export async function nextTakingBack(
  client: PoolClient,
  organizationId: string,
  environment: Environment,
  giftId: string,
): Promise<{ count: number; reference: string }> {
  const references = Array.from({ length: MOST_TIMES }, (_, index) => ownReference('taken-back', giftId, index + 1));
  const asked = [...references, earlierReference(giftId)];
  const known = await selectKnownReferences(client, [organizationId, environment, asked]);
  const count = known.length + 1;
  const reference = references[count - 1];
  if (reference === undefined) throw new OperatorError(`The gift was taken back ${MOST_TIMES} times already.`);
  return { count, reference };
}
