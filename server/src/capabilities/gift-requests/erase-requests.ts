import type { PoolClient } from 'pg';
import type { EraseOfAddress } from '../../core/address-owner.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import { destination } from '../../platform/base/destination.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { announceEnded } from './announce-ended.ts';
import { countClaimed, endRequestsTo, selectAskedOrders, selectHeldRequests } from './erasure-queries.ts';

const REASON = 'The recipient’s name and address were erased.';

/**
 * Declines the open requests for gifts to a recipient; a declined request holds no gift.
 *
 * @throws OperatorError while an approval is under way or did not finish: its order would have the address
 */
export const eraseRequestsOf: EraseOfAddress = async (client, { clock }, { organizationId, address }) => {
  const asked = (await selectAskedOrders(client, [organizationId]))
    .filter(({ gift: { gifts } }) => gifts.some((one) => isTo(one, address)))
    .map(({ request_id }) => request_id);
  const recipient = [organizationId, address, asked] as const;
  const ended = await endRequestsTo(client, [...recipient, new Date(clock.now()), REASON]);
  const [claimed] = await countClaimed(client, [...recipient]);
  if (claimed !== undefined && claimed.count > 0)
    throw new OperatorError(
      'A gift to this address is being approved. Try again in a minute, or let an admin decide the request first.',
    );
  const requestIds = ended.map(({ request_id }) => request_id);
  return {
    isFound: requestIds.length > 0,
    announce: () => announceEnded(client, organizationId, requestIds),
  };
};

const isTo = ({ delivery }: Pick<GiftInputBody, 'delivery'>, address: string): boolean =>
  destination(delivery).address?.toLowerCase() === address;

/** What open requests hold of an address, for an export. @param address lower-case */
export async function findRequestsTo(client: PoolClient, organizationId: string, address: string) {
  const asked = await selectAskedOrders(client, [organizationId]);
  const ofAgents = asked.flatMap(({ environment, gift: { gifts }, created_at }) =>
    gifts.filter((one) => isTo(one, address)).map((gift) => ({ environment, gift, created_at })),
  );
  return [...(await selectHeldRequests(client, [organizationId, address])), ...ofAgents];
}
