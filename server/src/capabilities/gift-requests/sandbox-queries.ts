import { statement } from '../../platform/database/statement.ts';

/** Also what members have asked for. */
export const deleteRequests = statement<[organizationId: string]>(
  'sandbox.delete_requests',
  `with approvals as (
     delete from gift_request_approvals where organization_id = $1 and environment = 'sandbox'
   )
   delete from gift_requests where organization_id = $1 and environment = 'sandbox'`,
);
