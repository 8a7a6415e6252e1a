import { deleteRequests as deleteRequestRows } from '../../core/approvals/statement-parts.ts';
import { statement } from '../../platform/database/statement.ts';

/** Also what members have asked for. */
export const deleteRequests = statement<[organizationId: string]>(
  'sandbox.delete_requests',
  `with approvals as (
     delete from gift_request_approvals where organization_id = $1 and environment = 'sandbox'
   )
   ${deleteRequestRows} where r.organization_id = $1 and r.environment = 'sandbox'`,
);
