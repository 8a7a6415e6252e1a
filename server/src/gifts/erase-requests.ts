import type { PoolClient } from 'pg';
import { OperatorError } from '../base/operator-error.ts';
import type { Deps } from '../deps.ts';
import { countClaimed, endRequestsTo, selectHeldRequests } from './request-queries.ts';

const REASON = 'The recipient’s name and address were erased.';

/**
 * Declines the open requests for gifts to a recipient, in the caller's transaction; a declined request holds no gift.
 *
 * @param address lower-case
 * @returns the number of requests
 * @throws OperatorError while an approval is under way or did not finish: its order would have the address
 */
export async function forgetRequestsTo(
  client: PoolClient,
  deps: Pick<Deps, 'clock'>,
  organizationId: string,
  address: string,
): Promise<number> {
  const ended = await endRequestsTo(client, [
    ...([organizationId, address, new Date(deps.clock.now()), REASON] as const),
  ]);
  const [claimed] = await countClaimed(client, [organizationId, address]);
  if (claimed !== undefined && claimed.count > 0)
    throw new OperatorError(
      'A gift to this address is being approved. Try again in a minute, or let an admin decide the request first.',
    );
  return ended.length;
}

/** What open requests hold of an address, for an export. @param address lower-case */
export const findRequestsTo = (client: PoolClient, organizationId: string, address: string) =>
  selectHeldRequests(client, [organizationId, address]);
