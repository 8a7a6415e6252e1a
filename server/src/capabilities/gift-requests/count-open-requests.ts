import type { Deps } from '../../core/deps.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { countOpenRequests as count } from './queries.ts';

const MAX_COUNTED = 100;

/** Counts the requests of members and agents that wait for an admin, up to 100. */
export async function countOpenRequests(
  { database: { read } }: Pick<Deps, 'database'>,
  { organizationId, environment }: Scope,
): Promise<{ count: number; has_more: boolean }> {
  const [row] = await count(read, [organizationId, environment, MAX_COUNTED + 1]);
  const open = row?.count ?? 0;
  return { count: Math.min(open, MAX_COUNTED), has_more: open > MAX_COUNTED };
}
