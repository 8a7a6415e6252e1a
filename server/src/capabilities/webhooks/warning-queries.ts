import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

export interface FailingRow {
  organization_id: string;
  environment: Environment;
  endpoint_id: string;
  failing_since: Date;
  disabled_reason: 'gone' | 'failing' | 'requested' | null;
}

/** Endpoints that failed since before as many of the limits as mails were not sent yet; and those that said 410. */
export const selectFailing = statementOnEachShard<[limits: readonly Date[], limit: number], FailingRow>(
  'webhook_endpoints.select_failing',
  'the admins of every organization are warned',
  `select organization_id, environment, endpoint_id, coalesce(failing_since, disabled_at) as failing_since, disabled_reason
   from webhook_endpoints
   where disabled_at is null
       and notices < (select count(*) from unnest($1::timestamptz[]) l where failing_since <= l)
     or disabled_reason = 'gone' and notices < cardinality($1::timestamptz[])
   order by failing_since limit $2`,
);

/** Returns no row if another process was first, or the endpoint accepts again. */
export const claimWarning = statement<
  [organizationId: string, environment: Environment, endpointId: string, notices: number, isOff: boolean, now: Date],
  { organization_name: string; url: string }
>(
  'webhook_endpoints.claim_warning',
  `update webhook_endpoints e set notices = $4,
     disabled_at = case when $5 then coalesce(e.disabled_at, $6) end,
     disabled_reason = case when $5 then coalesce(e.disabled_reason, 'failing') end
   from organizations o
   where e.organization_id = $1 and e.environment = $2 and e.endpoint_id = $3 and e.notices < $4
     and (e.failing_since is not null and e.disabled_at is null or e.disabled_reason = 'gone') and o.organization_id = $1
   returning o.name as organization_name, e.url`,
);

export const deleteOldAttempts = statementOnEachShard<[before: Date]>(
  'webhook_attempts.delete_before',
  'attempts of every organization are deleted after 30 days',
  'delete from webhook_attempts where attempted_at < $1',
);

export const deleteOldDeliveries = statementOnEachShard<[before: Date]>(
  'webhook_deliveries.delete_before',
  'deliveries of every organization are deleted after 30 days',
  `delete from webhook_deliveries d where d.state <> 'pending' and d.updated_at < $1
     -- They are sent again when the endpoint accepts again.
     and not (d.state = 'failed' and exists (
       select from webhook_endpoints e
       where e.organization_id = d.organization_id and e.environment = d.environment and e.endpoint_id = d.endpoint_id
         and e.failing_since <= d.updated_at
     ))`,
);
