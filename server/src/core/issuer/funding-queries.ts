import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import type { ChosenIssuer } from './chosen-issuer.ts';
import { dueCents } from './due.ts';

type OfIssuer = [organizationId: string, issuerId: string];

/** Removed issuers are asked until nothing is left to pay. */
export const selectFundingDue = statementOnEachShard<
  [now: Date, limit: number],
  ChosenIssuer & { organization_id: string }
>(
  'issuers.list_funding_due',
  'every minute looks at every organization',
  `select organization_id, issuer_id, kind, settings from issuers
   where funding_check_at <= $1 and (removed_at is null or unspent_cents is distinct from 0)
   order by funding_check_at, issuer_id limit $2`,
);

export const recordFunding = statement<
  [...OfIssuer, account: string, availableCents: number, now: Date, checkAt: Date, paidAtClaim: readonly string[]]
>(
  'issuers.record_funding',
  `update issuers i set funding_account = $3, funding_cents = $4, unspent_cents = ${dueCents('$7')}, funding_checked_at = $5,
     funding_check_at = $6
   where i.organization_id = $1 and i.issuer_id = $2`,
);

/** Keeps what is known. */
export const planFundingCheck = statement<[...OfIssuer, checkAt: Date]>(
  'issuers.plan_funding_check',
  'update issuers set funding_check_at = $3 where organization_id = $1 and issuer_id = $2',
);

export interface FundingRow {
  organization_id: string;
  issuer_id: string;
  funding_account: string;
  funding_cents: number;
  unspent_cents: number;
  funding_checked_at: Date;
  is_warned: boolean;
}

export const selectFunding = statementOnEachShard<[], FundingRow>(
  'issuers.list_funding',
  'one balance may pay the cards of several organizations',
  `select organization_id, issuer_id, funding_account, funding_cents, unspent_cents, funding_checked_at,
     funding_warned_at is not null as is_warned
   from issuers where funding_account is not null and (unspent_cents > 0 or funding_warned_at is not null)`,
);

/** Returns no row if another process has sent the warning. */
export const claimFundingWarning = statement<
  [...OfIssuer, now: Date],
  { organization_name: string; issuer: string; unspent_cents: number }
>(
  'issuers.claim_funding_warning',
  `update issuers i set funding_warned_at = $3 from organizations o
   where i.organization_id = $1 and o.organization_id = $1 and i.issuer_id = $2 and i.funding_warned_at is null
   returning o.name as organization_name, i.kind as issuer, i.unspent_cents`,
);

export const rearmFundingWarning = statement<OfIssuer>(
  'issuers.rearm_funding_warning',
  'update issuers set funding_warned_at = null where organization_id = $1 and issuer_id = $2',
);

export const selectAllFunding = statementOnEachShard<[], FundingRow & { name: string; kind: string }>(
  'issuers.list_all_funding',
  'one balance may pay the cards of several organizations',
  `select i.organization_id, o.name, i.kind, i.issuer_id, i.funding_account, i.funding_cents,
     coalesce(i.unspent_cents, 0)::bigint as unspent_cents, i.funding_checked_at,
     i.funding_warned_at is not null as is_warned
   from issuers i join organizations o using (organization_id)
   where i.funding_account is not null and (i.removed_at is null or i.unspent_cents > 0)
   order by i.issuer_id`,
);
