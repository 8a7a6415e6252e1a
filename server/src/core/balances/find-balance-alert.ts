import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import type { BalanceAlert } from './portal-schema.ts';
import { selectBalanceAlert } from './queries.ts';

/** Returns undefined if the alert is off. */
export async function findBalanceAlert(
  deps: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
): Promise<BalanceAlert | undefined> {
  const [row] = await selectBalanceAlert(deps.database.read, [organizationId, environment]);
  return row && { threshold: row.threshold_cents, warned_at: row.warned_at };
}
