import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';

type InReach = [organizationId: string, environment: Environment, id: string, memberIds: readonly string[]];

const rowOf = (table: string, id: string) =>
  statement<InReach, { id: string }>(
    `reach.${table}`,
    `select ${id} as id from ${table}
     where organization_id = $1 and environment = $2 and ${id} = $3 and sender_member_id = any ($4)`,
  );

export const selectGiftInReach = rowOf('gifts', 'gift_id');
export const selectOrderInReach = rowOf('orders', 'order_id');
export const selectBatchInReach = rowOf('batches', 'batch_id');
