import type { Deps } from '../../../core/deps.ts';
import { queueNotices } from '../../../core/notices/queue-notices.ts';
import { listAdminAddresses } from '../../../core/organizations/list-admin-addresses.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import * as queries from './stock-queries.ts';
import { todayOf } from './today.ts';

type WarnDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>;

/** Per run; the rest follow a minute later. */
const MAX_WARNINGS = 100;

/**
 * Emails the admins once when fewer codes are left than the issuer's limit, and again only after the stock was filled. Safe in
 * several processes at once.
 */
export async function warnOfLowStock(deps: WarnDeps): Promise<void> {
  const today = todayOf(deps.clock);
  await queries.rearmStockWarnings(deps.database.shards, [today]);
  for (const { organization_id, issuer_id } of await queries.selectLowStocks(deps.database.shards, [
    MAX_WARNINGS,
    today,
  ]))
    await inOrganization(deps.database, organization_id, async (client) => {
      const now = new Date(deps.clock.now());
      const [claimed] = await queries.claimStockWarning(client, [organization_id, issuer_id, now, today]);
      if (claimed === undefined) return;
      await queueNotices(client, deps, {
        organizationId: organization_id,
        recipients: await listAdminAddresses(client, organization_id),
        notice: { kind: 'codes_low', details: claimed },
      });
    });
}
