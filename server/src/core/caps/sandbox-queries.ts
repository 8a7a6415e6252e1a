import { statement } from '../../platform/database/statement.ts';

export const deleteSpending = statement<[organizationId: string]>(
  'sandbox.delete_spending',
  `delete from spending where organization_id = $1 and environment = 'sandbox'`,
);
