import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectBalanceAlert } from './queries.ts';

export interface BalanceAlert {
  /** Cents; a lower balance sends an email. */
  threshold: number;
  /** When the email was sent; null if the balance is not known to be below the threshold. */
  warned_at: Date | null;
}

/** Returns undefined if the alert is off. */
export async function findBalanceAlert(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
): Promise<BalanceAlert | undefined> {
  const [row] = await selectBalanceAlert(deps.database.read, [organizationId, environment]);
  return row && { threshold: row.threshold_cents, warned_at: row.warned_at };
}
