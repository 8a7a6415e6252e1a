import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

type Owner = [organizationId: string, environment: Environment];

/** Cents that a bank took back and the balance did not hold. */
export const selectOwed = statement<Owner, { owed_cents: number }>(
  'balances.select_owed',
  'select owed_cents from balances where organization_id = $1 and environment = $2',
);

export const changeOwed = statement<[...Owner, cents: number]>(
  'balances.change_owed',
  'update balances set owed_cents = owed_cents + $3::bigint where organization_id = $1 and environment = $2',
);

/** Organizations that can pay something of what they owe. */
export const selectOwing = statementOnEachShard<[limit: number], { organization_id: string }>(
  'balances.list_owing',
  'every minute looks at every balance',
  `select organization_id from balances where environment = 'live' and owed_cents > 0 and balance_cents > 0
   order by organization_id limit $1`,
);
