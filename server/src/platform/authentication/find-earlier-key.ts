import type { Scope } from '../base/principal.ts';
import type { Queryable } from '../database/statement.ts';
import { selectEarlierKey } from './queries.ts';

/** Returns what a key of an earlier form opens; its form does not name the organization. Undefined if it was never issued. */
export async function findEarlierKey(database: Queryable, hash: Buffer): Promise<Scope | undefined> {
  const [row] = await selectEarlierKey(database, [hash]);
  return row && { organizationId: row.organization_id, environment: row.environment };
}
