import { listAdminAddresses } from '../../core/organizations/list-admin-addresses.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import type { LockedRule, RuleToRun } from './work-queries.ts';

/** What each mail about a rule begins with. */
export const aboutRule = ({ organization_id, environment }: RuleToRun, rule: LockedRule) => ({
  organization_name: rule.organization_name,
  organization_id: encodeId('org', organization_id),
  environment,
  rule: rule.name,
});

/** The active admins, and the member who saved the rule. */
export async function listTold(
  client: Queryable,
  organizationId: string,
  { email, is_active }: LockedRule,
): Promise<string[]> {
  const admins = await listAdminAddresses(client, organizationId);
  return [...new Set(is_active ? [...admins, email] : admins)];
}
