import type { Queryable } from '../../platform/database/statement.ts';
import { selectActiveAdmins } from './queries.ts';

/**
 * Lists the email addresses of all active admins, oldest membership first.
 *
 * @param organizationId UUID
 */
export async function listAdminAddresses(client: Queryable, organizationId: string): Promise<string[]> {
  const rows = await selectActiveAdmins(client, [organizationId]);
  return rows.map(({ email }) => email);
}
