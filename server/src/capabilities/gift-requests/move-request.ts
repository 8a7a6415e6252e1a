import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { recordEvent } from './actions.ts';
import * as queries from './queries.ts';

interface Move {
  /** UUID. */
  requestId: string;
  method: 'email' | 'phone';
  address: string;
  actor: Actor;
}

/**
 * Changes the address of an open request for one gift, in the caller's transaction: who decides sees the new one.
 *
 * @returns false if nothing is changed: it is decided, or being decided
 */
export async function moveRequest(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  { organizationId, environment }: Scope,
  { requestId, method, address, actor }: Move,
): Promise<boolean> {
  const delivery = JSON.stringify(method === 'email' ? { method, email: address } : { method, phone: address });
  const moved = await queries.moveRequest(client, [organizationId, environment, requestId, delivery, address]);
  if (moved.length === 0) return false;
  await recordEvent(client, deps, actor, {
    organizationId,
    environment,
    target: encodeId('ask', requestId),
    action: 'gift_request.moved',
    details: { method, address: maskAddress(address) },
  });
  return true;
}
