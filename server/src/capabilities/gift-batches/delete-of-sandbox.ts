import type { DeleteOfSandbox } from '../../core/sandbox/sandbox-owner.ts';
import { deleteBatches } from './sandbox-queries.ts';

export const deleteFilesOf: DeleteOfSandbox = async (client, organizationId) => {
  await deleteBatches(client, [organizationId]);
  return {};
};
