import { applyFacts } from '../../core/cards/apply-facts.ts';
import type { Deps } from '../../core/deps.ts';
import { type DueIssuer, listDueIssuers, planReconciliation } from '../../core/issuer/plan-reconciliation.ts';
import type { Fact } from '../../core/issuer/port.ts';

type ReconcileDeps = Pick<Deps, 'clock' | 'database' | 'issuers' | 'log'>;

const DAY_MS = 86_400_000;
const RETRY_MS = 15 * 60_000;
/** Providers record some facts later than they happened. */
const OVERLAP_MS = 3 * DAY_MS;
const MAX_ISSUERS = 20;
const WAIT_MS = 60_000;
const FACTS_AT_ONCE = 500;

/** Asks each issuer once a day for what happened, and records what no webhook event reported. */
export async function reconcileIssuers(deps: ReconcileDeps): Promise<void> {
  const due = await listDueIssuers(deps, MAX_ISSUERS);
  for (const row of due) {
    const nowMs = deps.clock.now();
    try {
      await reconcile(deps, row);
      await planReconciliation(deps, row, new Date(nowMs + DAY_MS), new Date(nowMs));
    } catch (error) {
      deps.log.error({ err: error, issuer: row.issuer_id }, 'An issuer could not be reconciled.');
      await planReconciliation(deps, row, new Date(nowMs + RETRY_MS), null);
    }
  }
}

async function reconcile(deps: ReconcileDeps, row: DueIssuer): Promise<void> {
  const source = { organizationId: row.organization_id, issuerId: row.issuer_id };
  const issuer = await deps.issuers.open(row.organization_id, row);
  if (issuer.isLocal) return;
  const since = new Date((row.reconciled_at ?? row.created_at).getTime() - OVERLAP_MS);
  let facts: Fact[] = [];
  const apply = async () => {
    const unknown = await applyFacts(deps, source, facts);
    if (unknown.length > 0)
      deps.log.warn({ issuer: row.issuer_id, cards: unknown.length }, 'An issuer has unknown cards.');
    facts = [];
  };
  for await (const fact of issuer.reconcile(since, AbortSignal.timeout(WAIT_MS))) {
    facts.push(fact);
    if (facts.length >= FACTS_AT_ONCE) await apply();
  }
  await apply();
  if (row.removed_at === null) await issuer.offers?.refresh(AbortSignal.timeout(WAIT_MS));
}
