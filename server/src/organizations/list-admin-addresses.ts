import type { Queryable } from '../database/statement.ts';
import { selectActiveAdmins } from './queries.ts';

/**
 * Where every active admin is reached by mail, the longest-standing first.
 *
 * @param organizationId UUID
 */
export async function listAdminAddresses(client: Queryable, organizationId: string): Promise<string[]> {
  const rows = await selectActiveAdmins(client, [organizationId]);
  return rows.map(({ email }) => email);
}
