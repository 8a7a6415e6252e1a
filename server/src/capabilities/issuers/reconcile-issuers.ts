import { applyFacts } from '../../core/cards/apply-facts.ts';
import type { Deps } from '../../core/deps.ts';
import type { Fact } from '../../core/issuer/port.ts';
import * as queries from './reconcile-queries.ts';

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
  const due = await queries.selectDueIssuers(deps.database.shards, [new Date(deps.clock.now()), MAX_ISSUERS]);
  for (const row of due) {
    const key = [row.organization_id, row.issuer_id] as const;
    const nowMs = deps.clock.now();
    try {
      await reconcile(deps, row);
      const times = [new Date(nowMs + DAY_MS), new Date(nowMs)] as const;
      await queries.planReconciliation(deps.database.pool, [...key, ...times, row.planned_at]);
    } catch (error) {
      deps.log.error({ err: error, issuer: row.issuer_id }, 'An issuer could not be reconciled.');
      await queries.planReconciliation(deps.database.pool, [...key, new Date(nowMs + RETRY_MS), null, row.planned_at]);
    }
  }
}

async function reconcile(
  deps: ReconcileDeps,
  row: Awaited<ReturnType<typeof queries.selectDueIssuers>>[number],
): Promise<void> {
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

/** Lets the next minute read again what every issuer reports since a time, such as that of a restore. */
export async function readIssuersAgain(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  since: Date,
): Promise<void> {
  await queries.readIssuersAgain(database.shards, [new Date(clock.now()), since]);
}
