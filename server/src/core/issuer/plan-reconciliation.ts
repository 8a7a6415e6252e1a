import type { Deps } from '../deps.ts';
import * as queries from './reconcile-queries.ts';

type PlanDeps = Pick<Deps, 'clock' | 'database'>;

export type DueIssuer = Awaited<ReturnType<typeof queries.selectDueIssuers>>[number];

/** Lists issuers that are to be asked now for what happened. */
export const listDueIssuers = ({ clock, database }: PlanDeps, limit: number): Promise<DueIssuer[]> =>
  queries.selectDueIssuers(database.shards, [new Date(clock.now()), limit]);

/** Plans when an issuer is asked next. @param doneAt when it answered everything; null if it did not */
export async function planReconciliation(
  { database }: Pick<Deps, 'database'>,
  { organization_id, issuer_id, planned_at }: DueIssuer,
  nextAt: Date,
  doneAt: Date | null,
): Promise<void> {
  await queries.planReconciliation(database.pool, [organization_id, issuer_id, nextAt, doneAt, planned_at]);
}

/** Lets the next minute read what an issuer reported since a time of a card that was not known here. All ids are UUIDs. */
export async function readIssuerAgain(
  { clock, database }: PlanDeps,
  { organizationId, issuerId }: { organizationId: string; issuerId: string },
  since: Date,
): Promise<void> {
  await queries.readIssuerAgain(database.pool, [organizationId, issuerId, new Date(clock.now()), since]);
}

/** Lets the next minute read again what every issuer reports since a time, such as that of a restore. */
export async function readIssuersAgain({ clock, database }: PlanDeps, since: Date): Promise<void> {
  await queries.readIssuersAgain(database.shards, [new Date(clock.now()), since]);
}
