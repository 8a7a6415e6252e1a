import { type KeyCaller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { fingerprintOf } from '../../platform/base/fingerprint.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Deps } from '../deps.ts';
import { selectPlaced } from './placed-queries.ts';
import type { OrderInputBody } from './schema.ts';

interface Found {
  /** UUID of the first key of those that replaced one another; the caller's is the last. */
  firstKeyId: string;
  placed: { orderId: string; hasSameBody: boolean } | undefined;
}

/** Looks for the order that an idempotency key bought. Reads only. @throws BestowError as `requireAdmitted` */
export async function findPlaced(
  { database }: Pick<Deps, 'database'>,
  caller: KeyCaller,
  { idempotencyKey, body }: { idempotencyKey: string; body: OrderInputBody },
): Promise<Found> {
  const fingerprint = Buffer.from(fingerprintOf(body), 'hex');
  const [row] = await selectPlaced(database.read, [...parametersOf(caller), idempotencyKey, fingerprint]);
  requireAdmitted(caller, row);
  const { first_key_id: firstKeyId, order_id, has_same_body: hasSameBody } = row;
  return { firstKeyId, placed: order_id === null ? undefined : { orderId: encodeId('ord', order_id), hasSameBody } };
}
