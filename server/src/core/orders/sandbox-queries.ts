import { statement } from '../../platform/database/statement.ts';

type Organization = [organizationId: string];

export const deleteOrders = statement<Organization, { count: number }>(
  'sandbox.delete_orders',
  `with deleted as (delete from orders where organization_id = $1 and environment = 'sandbox' returning 1)
   select count(*) as count from deleted`,
);

export const deletePairs = statement<Organization>(
  'sandbox.delete_pairs',
  `delete from metadata_pairs where organization_id = $1 and environment = 'sandbox'`,
);
