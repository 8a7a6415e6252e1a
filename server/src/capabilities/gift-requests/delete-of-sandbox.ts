import type { DeleteOfSandbox } from '../../core/sandbox/sandbox-owner.ts';
import { deleteRequests } from './sandbox-queries.ts';

export const deleteRequestsOf: DeleteOfSandbox = async (client, organizationId) => {
  await deleteRequests(client, [organizationId]);
  return {};
};
