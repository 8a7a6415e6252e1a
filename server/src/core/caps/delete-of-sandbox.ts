import type { DeleteOfSandbox } from '../sandbox/sandbox-owner.ts';
import { deleteSpending } from './sandbox-queries.ts';

export const deleteSpendingOf: DeleteOfSandbox = async (client, organizationId) => {
  await deleteSpending(client, [organizationId]);
  return {};
};
