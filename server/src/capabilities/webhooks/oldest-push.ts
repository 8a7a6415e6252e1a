import type { Queryable } from '../../platform/database/statement.ts';
import { selectOldestPush } from './push-queries.ts';

/**
 * Returns since when the oldest push of a server is due, of endpoints that accept; `now` if none is.
 *
 * @param limit endpoints that are looked at
 */
export async function oldestPushDueMs(server: Queryable, nowMs: number, limit: number): Promise<number> {
  const [oldest] = await selectOldestPush([server], [new Date(nowMs), limit]);
  return oldest?.due_at?.getTime() ?? nowMs;
}
