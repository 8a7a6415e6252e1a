import type { Scope } from '../../platform/base/principal.ts';
import type { Deps } from '../deps.ts';
import { selectFirstEntry } from './entry-queries.ts';

/** Lists the months with a statement, such as `2026-11`, latest first, in UTC. */
export async function listStatementMonths(
  deps: Pick<Deps, 'clock' | 'database'>,
  { organizationId, environment }: Scope,
): Promise<string[]> {
  const [first] = await selectFirstEntry(deps.database.pool, [organizationId, environment]);
  if (first === undefined) return [];
  const months: string[] = [];
  const start = first.created_at.toISOString().slice(0, 7);
  const now = new Date(deps.clock.now());
  for (let back = 0; ; back += 1) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7);
    if (month < start) return months;
    months.push(month);
  }
}
