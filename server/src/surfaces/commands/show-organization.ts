import { showIssuers } from '../../capabilities/issuers/show-issuers.ts';
import { findOwed } from '../../core/balances/find-owed.ts';
import { showBalances } from '../../core/balances/show-balances.ts';
import { listCaps } from '../../core/caps/list-caps.ts';
import type { Deps } from '../../core/deps.ts';
import { listAttention } from '../../core/gifts/find/list-attention.ts';
import { listKeys, type PresentedKey } from '../../core/keys/list-keys.ts';
import { searchOrders } from '../../core/orders/search-orders.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { listMembers } from '../../core/organizations/list-members.ts';
import type { PresentedMember } from '../../core/organizations/present-member.ts';
import { type PresentedOrganization, presentOrganization } from '../../core/organizations/present-organization.ts';
import type { Environment } from '../../platform/base/environment.ts';

type ShowDeps = Pick<Deps, 'clock' | 'config' | 'database'>;

export interface ShownEnvironment {
  environment: Environment;
  /** Cents, as all amounts. */
  balance: number;
  /** What a bank took back and the balance did not hold. */
  owed: number;
  last_order: { order_id: string; amount: number; created_at: Date } | null;
  /** Gifts whose message failed and that can still be redirected, at most 100; `has_more`: there are more. */
  failed_messages: { count: number; has_more: boolean };
  caps: Awaited<ReturnType<typeof listCaps>>;
}

export interface ShownOrganization extends PresentedOrganization {
  members: PresentedMember[];
  keys: PresentedKey[];
  issuers: Awaited<ReturnType<typeof showIssuers>>;
  environments: ShownEnvironment[];
}

/**
 * Shows what an operator asks about one organization: its members, keys and issuers, and the state of both environments.
 *
 * @param id `org_…`
 * @throws OperatorError if the organization does not exist
 */
export async function showOrganization(deps: ShowDeps, id: string): Promise<ShownOrganization> {
  const organization = await findOrganization(deps, id);
  const [members, keys, issuers, balances] = await Promise.all([
    listMembers(deps, id),
    listKeys(deps, id),
    showIssuers(deps, organization.organization_id),
    showBalances(deps, id),
  ]);
  const environments: ShownEnvironment[] = [];
  for (const { environment, balance } of balances)
    environments.push(await showEnvironment(deps, organization.organization_id, { environment, balance }));
  return { ...presentOrganization(organization), members, keys, issuers, environments };
}

async function showEnvironment(
  deps: ShowDeps,
  organizationId: string,
  { environment, balance }: Pick<ShownEnvironment, 'environment' | 'balance'>,
): Promise<ShownEnvironment> {
  const scope = { organizationId, environment };
  const [owed, orders, { count, has_more }, caps] = await Promise.all([
    findOwed(deps, scope),
    searchOrders(deps, scope, { limit: 1 }),
    listAttention(deps, scope),
    listCaps(deps, scope),
  ]);
  const [last] = orders.rows;
  return {
    environment,
    balance,
    owed,
    last_order: last ? { order_id: last.order_id, amount: last.amount, created_at: last.created_at } : null,
    failed_messages: { count, has_more },
    caps,
  };
}
