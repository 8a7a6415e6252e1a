import type { Environment } from '../../platform/base/environment.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import * as queries from './mark-queries.ts';

type Owner = [organizationId: string, environment: Environment];

/** Notes whether an environment has caps, so that orders that began before see the change. @param lastId a new UUID */
export async function markCapped(database: Queryable, owner: Owner, lastId: string): Promise<void> {
  await queries.markCapped(database, [...owner, lastId]);
}

/** Makes every entry of the ledger final that is there now: later ones have higher ids. Waits for the balance's lock. */
export async function raiseLastId(database: Queryable, owner: Owner): Promise<void> {
  await queries.raiseLastId(database, owner);
}

/** Sets the live balance below which a debit starts a top-up at once. @param belowCents null: none does */
export async function setWakingBalance(
  database: Queryable,
  organizationId: string,
  belowCents: number | null,
): Promise<void> {
  await queries.setWakingBalance(database, [organizationId, belowCents]);
}
