import type { DeleteOfSandbox } from '../../core/sandbox/sandbox-owner.ts';
import { restartEndpoints } from './sandbox-queries.ts';

export const restartEndpointsOf: DeleteOfSandbox = async (client, organizationId) => {
  await restartEndpoints(client, [organizationId]);
  return {};
};
