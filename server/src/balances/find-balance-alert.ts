import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectBalanceAlert } from './queries.ts';

/** When an organization's people are mailed that a balance runs low. */
export interface BalanceAlert {
  /** Cents; below it the mail goes out. */
  threshold: number;
  /** Since when they know that the balance is below it; null while it is not. */
  warned_at: Date | null;
}

/** Undefined where nobody is to be mailed. */
export async function findBalanceAlert(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
): Promise<BalanceAlert | undefined> {
  const [row] = await selectBalanceAlert(deps.database.read, [organizationId, environment]);
  return row && { threshold: row.threshold_cents, warned_at: row.warned_at };
}
