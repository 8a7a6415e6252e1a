import type { PoolClient } from 'pg';
import { DAY_MS } from '../../../platform/base/id-time.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import type { Deps } from '../../deps.ts';
import { queueNotices } from '../../notices/queue-notices.ts';
import { listAdminAddresses } from '../../organizations/list-admin-addresses.ts';
import * as queries from './expiry-queries.ts';

type AnnounceDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>;

/** An organization gets at most one mail in so many days, about the gifts of twice as many: each at least so early. */
export const ANNOUNCED_DAYS = 7;
const MAX_ORGANIZATIONS = 500;
/** In a statement, and so many statements for a mail; the rest wait for the next mail and expire later. */
const MAX_GIFTS = 5_000;
const MAX_STATEMENTS = 20;

/**
 * Emails the admins and the billing contact of each organization how many of its gifts will expire, and their sum, and marks
 * these gifts in the same transaction. Only marked gifts expire. Safe in several processes at once.
 */
export async function announceExpiry(deps: AnnounceDeps): Promise<void> {
  const nowMs = deps.clock.now();
  const announcedBefore = new Date(nowMs - ANNOUNCED_DAYS * DAY_MS);
  const expiresBefore = new Date(nowMs + 2 * ANNOUNCED_DAYS * DAY_MS);
  const found = await queries.selectUnannounced(deps.database.shards, [
    expiresBefore,
    announcedBefore,
    MAX_ORGANIZATIONS,
  ]);
  for (const { organization_id } of found)
    await inOrganization(deps.database, organization_id, (client) =>
      announce(client, deps, { organizationId: organization_id, announcedBefore, expiresBefore }),
    );
}

async function announce(
  client: PoolClient,
  deps: AnnounceDeps,
  {
    organizationId,
    announcedBefore,
    expiresBefore,
  }: { organizationId: string; announcedBefore: Date; expiresBefore: Date },
): Promise<void> {
  const now = new Date(deps.clock.now());
  const [organization] = await queries.claimAnnouncement(client, [organizationId, announcedBefore, now]);
  if (organization === undefined) return;
  const sums = await announceAll(client, [organizationId, expiresBefore, now]);
  if (sums.length === 0) return;
  const admins = await listAdminAddresses(client, organizationId);
  const { name, billing_contact_email: billingContact } = organization;
  await queueNotices(client, deps, {
    organizationId,
    recipients: [...new Set(billingContact === null ? admins : [...admins, billingContact])],
    notice: {
      kind: 'gifts_expire',
      details: {
        organization_name: name,
        expiring: sums.map(({ first_expires_at, ...sum }) => ({
          ...sum,
          first_expires_at: first_expires_at.toISOString(),
        })),
      },
    },
  });
}

/** Marks batch by batch, and adds up each environment. */
async function announceAll(
  client: PoolClient,
  due: readonly [organizationId: string, expiresBefore: Date, now: Date],
): Promise<queries.AnnouncedRow[]> {
  const sums = new Map<string, queries.AnnouncedRow>();
  for (let statement = 0; statement < MAX_STATEMENTS; statement += 1) {
    const rows = await queries.announceGifts(client, [...due, MAX_GIFTS]);
    if (rows.length === 0) break;
    for (const row of rows) {
      const { gifts = 0, amount_cents = 0, first_expires_at = row.first_expires_at } = sums.get(row.environment) ?? {};
      sums.set(row.environment, {
        environment: row.environment,
        gifts: gifts + row.gifts,
        amount_cents: amount_cents + row.amount_cents,
        first_expires_at: first_expires_at < row.first_expires_at ? first_expires_at : row.first_expires_at,
      });
    }
  }
  return [...sums.values()];
}
