import type { Deps } from '../../core/deps.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { cardFee, LARGEST_TOPUP_CENTS, SMALLEST_TOPUP_CENTS } from './fee.ts';
import { insertTopup } from './queries.ts';
import { lockRule, selectDueRules } from './rule-queries.ts';

type StartDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids'>;

/** Per run; the rest follow a minute later. */
const MOST_AT_A_TIME = 200;

/** Starts those of all balances below their threshold, for any reason. Safe in several processes. */
export async function startAutomaticTopups(deps: StartDeps): Promise<void> {
  if (deps.config.stripe === undefined) return;
  const now = new Date(deps.clock.now());
  for (const { organization_id } of await selectDueRules(deps.database.shards, [now, MOST_AT_A_TIME]))
    await startAutomaticTopup(deps, organization_id);
}

/**
 * Starts an organization's automatic top-up if its balance is below the threshold, none is under way, and the monthly cap
 * has room; its job charges the card.
 *
 * @param organizationId UUID
 */
export async function startAutomaticTopup(deps: StartDeps, organizationId: string): Promise<void> {
  const { stripe } = deps.config;
  if (stripe === undefined) return;
  const now = new Date(deps.clock.now());
  const monthStartedAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  await inOrganization(deps.database, organizationId, async (client) => {
    const [rule] = await lockRule(client, [organizationId, monthStartedAt]);
    if (rule === undefined || !rule.is_on || rule.is_under_way || rule.is_suspended) return;
    if (rule.balance_cents >= rule.threshold_cents || (rule.not_before !== null && rule.not_before > now)) return;
    const wantedCents = rule.method === 'fixed' ? rule.amount_cents : rule.amount_cents - rule.balance_cents;
    const amountCents = Math.min(Math.max(wantedCents, SMALLEST_TOPUP_CENTS), LARGEST_TOPUP_CENTS);
    if (rule.charged_cents + amountCents > rule.monthly_cap_cents) return;
    // The unique index on those under way refuses a second one.
    await insertTopup(client, [
      organizationId,
      deps.ids.next(),
      'automatic',
      amountCents,
      cardFee(stripe.cardFee, amountCents),
      null,
      `Automatic, ${rule.card}`,
      now,
    ]);
  });
}
