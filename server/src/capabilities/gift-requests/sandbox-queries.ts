import { statement } from '../../platform/database/statement.ts';

/** Also what members have asked for. */
export const deleteRequests = statement<[organizationId: string]>(
  'sandbox.delete_requests',
  `delete from gift_requests where organization_id = $1 and environment = 'sandbox'`,
);
