import type { Deps } from '../../core/deps.ts';
import type { OrderInputBody } from '../../core/orders/schema.ts';
import { type KeyCaller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { selectPreview } from './queries.ts';

interface Previewed {
  order: OrderInputBody;
  isExpired: boolean;
}

/** Finds what this key, or one that it replaced, previewed. @throws BestowError as `requireAdmitted` */
export async function findPreview(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  caller: KeyCaller,
  token: string,
): Promise<Previewed | undefined> {
  const [row] = await selectPreview(database.read, [...parametersOf(caller), token]);
  requireAdmitted(caller, row);
  if (row.purchase === null) return undefined;
  return { order: row.purchase, isExpired: row.expires_at.getTime() <= clock.now() };
}
