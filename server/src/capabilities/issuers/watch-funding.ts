import type { Deps } from '../../core/deps.ts';
import {
  claimFundingWarning,
  type FundedIssuer,
  listFunded,
  listFundingDue,
  planFundingCheck,
  rearmFundingWarning,
  recordFunding,
} from '../../core/issuer/funding.ts';
import { queueNotices } from '../../core/notices/queue-notices.ts';
import { listAdminAddresses } from '../../core/organizations/list-admin-addresses.ts';
import { allowStatements } from '../../platform/database/allow-statements.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';

type WatchDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'issuers' | 'log' | 'tracer'>;

const MINUTE_MS = 60_000;
const CHECK_MS = 15 * MINUTE_MS;
const RETRY_MS = 5 * MINUTE_MS;
const DAY_MS = 86_400_000;
/** Per run, all at once; the rest follow a minute later. */
const MAX_ISSUERS = 20;
const WAIT_MS = 10_000;
/** An organization may have a million cards. */
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Asks issuers for their balances, and emails the admins once when a balance is below what it has to pay yet: purchases of its
 * cards, or the claims of gifts; again only after it sufficed. An issuer that does not answer keeps its last known balance.
 */
export async function watchFunding(deps: WatchDeps): Promise<void> {
  const due = await listFundingDue(deps, MAX_ISSUERS);
  await Promise.all(due.map((row) => check(deps, row)));
  const accounts = Map.groupBy(await listFunded(deps), (row) => row.funding_account);
  for (const rows of accounts.values()) await compare(deps, rows);
}

async function check(deps: WatchDeps, row: Awaited<ReturnType<typeof listFundingDue>>[number]): Promise<void> {
  const { clock, database, issuers, log } = deps;
  const { organization_id: organizationId, issuer_id: issuerId } = row;
  const plan = (delayMs: number) => planFundingCheck(deps, row, new Date(clock.now() + delayMs));
  try {
    const issuer = await issuers.open(organizationId, row);
    const funds = issuer.isLocal ? undefined : await issuer.fundingBalance(AbortSignal.timeout(WAIT_MS));
    if (funds === undefined) return await plan(DAY_MS);
    const now = new Date(clock.now());
    const nextAt = new Date(now.getTime() + CHECK_MS);
    await inOrganization(database, organizationId, async (client) => {
      await allowStatements(client, STATEMENT_TIMEOUT_MS);
      await recordFunding(client, deps, row, { ...funds, now, nextAt });
    });
  } catch (error) {
    log.warn({ err: error, issuer: issuerId }, 'An issuer’s balance could not be read.');
    await plan(RETRY_MS);
  }
}

/** @param rows issuers that are paid from one balance */
async function compare(deps: WatchDeps, rows: readonly FundedIssuer[]): Promise<void> {
  const latest = rows.reduce((a, b) => (a.funding_checked_at < b.funding_checked_at ? b : a));
  const unspentCents = rows.reduce((sum, row) => sum + row.unspent_cents, 0);
  const isLow = latest.funding_cents < unspentCents;
  // The balance of several organizations is not for the eyes of one.
  const isOwn = new Set(rows.map((row) => row.organization_id)).size === 1;
  for (const row of rows) {
    if (isLow && !row.is_warned && row.unspent_cents > 0) await warn(deps, row, isOwn ? latest.funding_cents : null);
    if (!(isLow && row.unspent_cents > 0) && row.is_warned) await rearmFundingWarning(deps, row);
  }
}

const warn = (deps: WatchDeps, row: FundedIssuer, availableCents: number | null): Promise<void> =>
  inOrganization(deps.database, row.organization_id, async (client) => {
    const claimed = await claimFundingWarning(client, row, new Date(deps.clock.now()));
    if (claimed === undefined) return;
    await queueNotices(client, deps, {
      organizationId: row.organization_id,
      recipients: await listAdminAddresses(client, row.organization_id),
      notice: {
        kind: 'funds_low',
        details: {
          ...claimed,
          available_cents: availableCents,
          is_paid_at_claim: deps.issuers.paidAtClaim.includes(claimed.issuer),
        },
      },
    });
  });
