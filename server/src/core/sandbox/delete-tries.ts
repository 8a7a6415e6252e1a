import { deleteTries } from './queries.ts';
import type { DeleteOfSandbox } from './sandbox-owner.ts';

export const deleteTriesOf: DeleteOfSandbox = async (client, organizationId) => {
  await deleteTries(client, [organizationId]);
  return {};
};
