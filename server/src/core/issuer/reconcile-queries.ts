import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import type { ChosenIssuer } from './chosen-issuer.ts';

type OfIssuer = [organizationId: string, issuerId: string];

/** Issuers that are to be reconciled now. */
export const selectDueIssuers = statementOnEachShard<
  [now: Date, limit: number],
  ChosenIssuer & {
    organization_id: string;
    created_at: Date;
    removed_at: Date | null;
    planned_at: string;
    reconciled_at: Date | null;
  }
>(
  'issuers.list_due',
  'every minute looks at every organization',
  `select organization_id, issuer_id, kind, settings, created_at, removed_at, reconcile_at::text as planned_at, reconciled_at
   from issuers
   where reconcile_at <= $1 order by reconcile_at, issuer_id limit $2`,
);

/**
 * Plans the next time; a null time keeps the last success. Changes nothing if another time was planned since, such as after a
 * claim that needs earlier facts.
 */
export const planReconciliation = statement<
  [...OfIssuer, reconcileAt: Date, reconciledAt: Date | null, plannedBefore: string]
>(
  'issuers.plan_reconciliation',
  `update issuers set reconcile_at = $3, reconciled_at = coalesce($4, reconciled_at)
   where organization_id = $1 and issuer_id = $2 and reconcile_at = $5::timestamptz`,
);

/** Lets the next minute read what an issuer reported of a card before it was known here. */
export const readIssuerAgain = statement<[...OfIssuer, now: Date, restoredTo: Date]>(
  'issuers.read_again',
  `update issuers set reconcile_at = $3, reconciled_at = least(reconciled_at, $4)
   where organization_id = $1 and issuer_id = $2`,
);

/** Lets the next minute read again what an issuer reports, from before the restore on. */
export const readIssuersAgain = statementOnEachShard<[now: Date, restoredTo: Date]>(
  'issuers.read_all_again',
  'the operator reads again what every issuer reports',
  `update issuers set reconcile_at = $1, reconciled_at = least(reconciled_at, $2)`,
);
