import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectOwed } from './owed-queries.ts';

/** Cents that a bank took back and the balance did not hold. */
export async function findOwed(
  { database }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
): Promise<number> {
  const [row] = await selectOwed(database.read, [organizationId, environment]);
  return row?.owed_cents ?? 0;
}
