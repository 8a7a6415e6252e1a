import type { DeleteOfSandbox } from '../sandbox/sandbox-owner.ts';
import { deleteOrders, deletePairs } from './sandbox-queries.ts';

export const deleteOrdersOf: DeleteOfSandbox = async (client, organizationId) => {
  const [orders] = await deleteOrders(client, [organizationId]);
  await deletePairs(client, [organizationId]);
  return { orders_deleted: orders?.count ?? 0 };
};
