import type { PoolClient } from 'pg';
import { type Caller, parametersOf } from '../../../platform/authentication/caller.ts';
import { namedKey } from '../../../platform/authentication/named-key.ts';
import type { Actor } from '../../../platform/base/actor.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { maskAddress } from '../../../platform/base/mask-address.ts';
import { countRedirect, lockBeforeRedirect } from '../../caps/count-redirect.ts';
import type { Deps } from '../../deps.ts';
import { recordEvent } from '../gift/actions.ts';
import { foundGift } from '../gift/retrieve-gift.ts';
import { appendRedirectEvents } from './link-queries.ts';
import * as queries from './redirect-queries.ts';

interface Move {
  /** UUID. */
  giftId: string;
  method: 'email' | 'phone';
  address: string;
  amountCents: number;
  actor: Actor;
}

/**
 * Changes the address of a gift that waits for its time, as `redirectGift` does, in the caller's transaction.
 *
 * @returns false if nothing is changed: it does not wait, it is on hold, a limit is reached, or it has the address
 * @throws BestowError as `requireAdmitted`
 */
export async function moveWaiting(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'config' | 'ids' | 'tracer'>,
  caller: Caller,
  { giftId, method, address, amountCents, actor }: Move,
): Promise<boolean> {
  const { organizationId, environment } = caller;
  const now = new Date(deps.clock.now());
  await lockBeforeRedirect(client, deps, caller);
  const [waiting] = await queries.selectMovable(client, [
    organizationId,
    environment,
    giftId,
    deps.config.resendLimit,
    method,
    address,
  ]);
  if (waiting === undefined) return false;
  try {
    await countRedirect(client, deps, caller, { address, amountCents, now });
  } catch (error) {
    if (error instanceof BestowError && error.code === 'insufficient_balance') return false;
    throw error;
  }
  const moved = await queries.redirectGift(client, [
    ...parametersOf(caller),
    giftId,
    deps.config.resendLimit,
    method,
    address,
    'pending',
    null,
    null,
    null,
    false,
    new Date(now.getTime() + deps.config.linkTtlMs),
    deps.ids.next(),
    now,
    deps.tracer?.current(),
  ]);
  if (foundGift(caller, moved) === undefined) throw new Error('A locked gift that can be moved is moved.');
  await recordEvent(client, deps, namedKey(actor, caller), {
    organizationId,
    environment,
    action: 'gift.redirected',
    target: encodeId('gift', giftId),
    details: { method, address: maskAddress(address) },
  });
  await appendRedirectEvents(client, [organizationId, environment, giftId, now]);
  return true;
}
