import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { listAdminAddresses } from '../organizations/list-admin-addresses.ts';
import * as queries from './queries.ts';

type WarnDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>;

/** Per run; the rest follow a minute later. */
const MAX_WARNINGS = 1_000;

/**
 * Emails the active admins and the billing contact of each organization whose balance is below its threshold. Emails once,
 * and again only after a run found the balance at or above the threshold. Safe in several processes at once.
 */
export async function warnOfLowBalances(deps: WarnDeps): Promise<void> {
  await queries.rearmBalanceAlerts(deps.database.shards, []);
  for (const low of await queries.selectLowBalances(deps.database.shards, [MAX_WARNINGS])) await warn(deps, low);
}

async function warn(
  deps: WarnDeps,
  { organization_id, environment }: Awaited<ReturnType<typeof queries.selectLowBalances>>[number],
): Promise<void> {
  await inOrganization(deps.database, organization_id, async (client) => {
    const now = new Date(deps.clock.now());
    const [claimed] = await queries.claimWarning(client, [organization_id, environment, now]);
    if (claimed === undefined) return;
    const { billing_contact_email: billingContact, ...details } = claimed;
    const admins = await listAdminAddresses(client, organization_id);
    await queueNotices(client, deps, {
      organizationId: organization_id,
      recipients: [...new Set(billingContact === null ? admins : [...admins, billingContact])],
      notice: { kind: 'balance_low', details: { environment, ...details } },
    });
  });
}
