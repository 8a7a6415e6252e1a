import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';

type Owner = [organizationId: string, environment: Environment];

/** Lets orders that began before see the change: their snapshot no longer has the balance's last id. */
export const markCapped = statement<[...Owner, lastId: string]>(
  'balances.mark_capped',
  `update balances set last_id = $3,
     is_capped = exists (select from spending_caps where organization_id = $1 and environment = $2)
   where organization_id = $1 and environment = $2`,
);

/**
 * Raises the id that later entries must exceed, if an earlier release left it below an entry. Waits for the balance's lock,
 * so that an entry that is being written is not passed over.
 */
export const raiseLastId = statement<Owner>(
  'balances.raise_last_id',
  `update balances b set last_id = newest.entry_id
   from (
     select entry_id from ledger_entries where organization_id = $1 and environment = $2 order by entry_id desc limit 1
   ) newest
   where b.organization_id = $1 and b.environment = $2 and b.last_id < newest.entry_id`,
);

/** The live balance below which a debit starts a top-up at once. Only a hint: the rule decides. */
export const setWakingBalance = statement<[organizationId: string, belowCents: number | null]>(
  'balances.set_topup_below',
  `update balances set topup_below_cents = $2 where organization_id = $1 and environment = 'live'`,
);
