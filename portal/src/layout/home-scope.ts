import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import type { Me } from '../api/me.ts';
import { readScope, type Scope } from './remembered-scope.ts';

/**
 * Where the portal opens: the last place on this device if the person is still a member and the mode is served, else their
 * first organization, in the sandbox until it has a live order. Undefined for a person without an organization.
 */
export async function homeScope({ memberships, service: { environments } }: Me): Promise<Scope | undefined> {
  const last = readScope();
  const isMember = memberships.some(({ organization_id }) => organization_id === last?.organizationId);
  if (last !== undefined && isMember && environments.includes(last.environment)) return last;
  const [first] = memberships;
  if (first === undefined) return undefined;
  const scope = { organizationId: first.organization_id, environment: environments[0] ?? 'live' };
  const hasSandbox = first.has_sandbox && environments.includes('sandbox') && first.permissions.includes('money');
  return last === undefined && hasSandbox && scope.environment === 'live' && !(await hasOrder(scope))
    ? { ...scope, environment: 'sandbox' }
    : scope;
}

/** Whether Live has an order. If that cannot be read, the overview shows why. */
const hasOrder = ({ organizationId: organization_id, environment }: Scope): Promise<boolean> =>
  unwrap(api.GET(`${SCOPE_PATH}/overview`, { params: { path: { organization_id, environment } } })).then(
    ({ first_steps }) => first_steps.has_order,
    () => true,
  );
