import { type CallerParameters, type CallerRow, caller, callerColumns } from '../authentication/caller.ts';
import type { Environment } from '../base/environment.ts';
import { statement, statementOnEachShard } from '../database/statement.ts';

type Owner = [organizationId: string, environment: Environment, idempotencyKey: string];

/** The caller; `is_new` if this transaction recorded the key, which others then wait for. */
export const insertRequest = statement<
  [
    ...CallerParameters,
    idempotencyKey: string,
    operation: string,
    fingerprint: Buffer,
    now: Date,
    resourceId: string | null,
  ],
  CallerRow & { is_new: boolean }
>(
  'idempotent_requests.insert',
  `with ${caller({ needs: 'read' })}, recorded as (
     insert into idempotent_requests (organization_id, environment, idempotency_key, operation, fingerprint, created_at,
       resource_id)
     select $1, $2, $4, $5, $6, $7, $8 from caller where caller_state = 'admitted'
     on conflict (organization_id, environment, idempotency_key) do nothing
     returning organization_id
   )
   select ${callerColumns}, r.organization_id is not null as is_new
   from caller left join recorded r on r.organization_id = $1`,
);

export const selectRequest = statement<Owner, { operation: string; fingerprint: Buffer; resource_id: string | null }>(
  'idempotent_requests.select',
  `select operation, fingerprint, resource_id from idempotent_requests
   where organization_id = $1 and environment = $2 and idempotency_key = $3`,
);

export const deleteRequestsBefore = statementOnEachShard<[time: Date]>(
  'idempotent_requests.delete_before',
  'requests of every organization are deleted after 30 days',
  'delete from idempotent_requests where created_at < $1',
);
