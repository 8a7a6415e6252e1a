import { statement } from '../../platform/database/statement.ts';

/** With their rows. Waits for an order that a batch is placing. */
export const deleteBatches = statement<[organizationId: string]>(
  'sandbox.delete_batches',
  `delete from batches where organization_id = $1 and environment = 'sandbox'`,
);
