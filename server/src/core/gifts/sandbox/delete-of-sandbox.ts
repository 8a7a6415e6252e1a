import type { DeleteOfSandbox } from '../../sandbox/sandbox-owner.ts';
import { deleteGifts } from './sandbox-queries.ts';

/** With their deliveries, cards and purchases. */
export const deleteGiftsOf: DeleteOfSandbox = async (client, organizationId) => {
  const [gifts] = await deleteGifts(client, [organizationId]);
  return { gifts_deleted: gifts?.count ?? 0 };
};
