import { type KeyCaller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { fingerprintOf } from '../../platform/base/fingerprint.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Deps } from '../deps.ts';
import { selectPlaced } from './placed-queries.ts';
import type { OrderInputBody } from './schema.ts';

interface Placed {
  orderId: string;
  /** Also true without a body. */
  hasSameBody: boolean;
}

/** Looks for the order that an idempotency key bought. Reads only. @throws BestowError as `requireAdmitted` */
export async function findPlaced(
  { database }: Pick<Deps, 'database'>,
  caller: KeyCaller,
  { idempotencyKey, body }: { idempotencyKey: string; body: OrderInputBody | undefined },
): Promise<Placed | undefined> {
  const fingerprint = body === undefined ? null : Buffer.from(fingerprintOf(body), 'hex');
  const [row] = await selectPlaced(database.read, [...parametersOf(caller), idempotencyKey, fingerprint]);
  requireAdmitted(caller, row);
  if (row.order_id === null) return undefined;
  return { orderId: encodeId('ord', row.order_id), hasSameBody: fingerprint === null || row.has_same_body };
}
