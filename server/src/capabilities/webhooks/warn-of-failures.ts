import type { Deps } from '../../core/deps.ts';
import { queueNotices } from '../../core/notices/queue-notices.ts';
import { listAdminAddresses } from '../../core/organizations/list-admin-addresses.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { shownUrl } from './endpoint-input.ts';
import { DAY_MS } from './retry-schedule.ts';
import * as queries from './warning-queries.ts';

type WarnDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>;

/** Days without a success after which the admins get a mail; the last one switches the endpoint off. */
const WARNING_DAYS = [1, 3, 5];
/** Per run; the rest follow a minute later. */
const MAX_WARNINGS = 500;
export const DELIVERIES_KEPT_DAYS = 30;
const KEPT_MS = DELIVERIES_KEPT_DAYS * DAY_MS;

/** Emails the admins about endpoints that fail, and switches them off after five days. Safe in several processes at once. */
export async function warnOfFailures(deps: WarnDeps): Promise<void> {
  const nowMs = deps.clock.now();
  const limits = WARNING_DAYS.map((days) => new Date(nowMs - days * DAY_MS));
  for (const failing of await queries.selectFailing(deps.database.shards, [limits, MAX_WARNINGS]))
    await warn(deps, failing, nowMs);
}

async function warn(
  deps: WarnDeps,
  { organization_id, environment, endpoint_id, failing_since, disabled_reason }: queries.FailingRow,
  nowMs: number,
): Promise<void> {
  const days = Math.floor((nowMs - failing_since.getTime()) / DAY_MS);
  const notices = disabled_reason === 'gone' ? WARNING_DAYS.length : WARNING_DAYS.filter((day) => day <= days).length;
  const isOff = notices === WARNING_DAYS.length;
  await inOrganization(deps.database, organization_id, async (client) => {
    const [claimed] = await queries.claimWarning(client, [
      organization_id,
      environment,
      endpoint_id,
      notices,
      isOff,
      new Date(nowMs),
    ]);
    if (claimed === undefined) return;
    const { organization_name, url } = claimed;
    await queueNotices(client, deps, {
      organizationId: organization_id,
      recipients: await listAdminAddresses(client, organization_id),
      notice: {
        kind: 'webhook_failing',
        details: {
          organization_name,
          environment,
          url: shownUrl(url),
          failing_since: failing_since.toISOString(),
          state: disabled_reason === 'gone' ? 'gone' : isOff ? 'disabled' : 'failing',
        },
      },
    });
  });
}

/** Deletes attempts and finished deliveries after 30 days; safe to repeat. */
export async function forgetOldAttempts({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<void> {
  const before = new Date(clock.now() - KEPT_MS);
  await queries.deleteOldAttempts(database.shards, [before]);
  await queries.deleteOldDeliveries(database.shards, [before]);
}
