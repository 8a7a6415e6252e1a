import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOfNone, statementOnEachShard } from '../../platform/database/statement.ts';

export const selectIsFirstRun = statementOnEachShard<[], { is_first_run: boolean }>(
  'organizations.select_is_first_run',
  'asks whether there is any organization at all',
  'select not exists (select from organizations) and not exists (select from categories) as is_first_run',
);

/** Lets only one of several starting processes seed. */
export const lockSeeding = statementOfNone<[lockClass: number, lockNumber: number]>(
  'organizations.lock_seeding',
  'select pg_advisory_xact_lock($1, $2)',
);

/** What an organization has that a month before it would contradict, or that would send the month's events. */
export const selectTraces = statement<
  [organizationId: string],
  { has_orders: boolean; has_live_entries: boolean; has_endpoints: boolean; has_issuers: boolean }
>(
  'organizations.select_traces',
  `select exists (select from orders where organization_id = $1) as has_orders,
     exists (select from ledger_entries where organization_id = $1 and environment = 'live') as has_live_entries,
     exists (select from webhook_endpoints where organization_id = $1) as has_endpoints,
     exists (select from issuers where organization_id = $1) as has_issuers`,
);

export const countOrders = statement<
  [organizationId: string],
  { environment: Environment; orders: number; gifts: number }
>(
  'organizations.count_orders',
  `select g.environment, count(distinct g.order_id) as orders, count(*) as gifts
   from gifts g where g.organization_id = $1 group by g.environment`,
);
