import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { recordEvent } from '../../platform/audit/record-event.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { claimedBefore } from './decide-request.ts';
import { withdrawRequests as withdraw } from './queries.ts';

interface Withdrawal {
  /** UUIDs of open requests. */
  requestIds: readonly string[];
  reason: string;
  actor: Actor;
}

/**
 * Withdraws requests whose gifts are not wanted any more, in the caller's transaction, which has waited for orders
 * (`waitForOrders`). One whose order was placed before a crash is approved.
 *
 * @returns UUIDs of the withdrawn requests
 * @throws BestowError `resource_locked` while one is being approved
 */
export async function withdrawRequests(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  { organizationId, environment }: Scope,
  { requestIds, reason, actor }: Withdrawal,
): Promise<string[]> {
  if (requestIds.length === 0) return [];
  const memberId = actor.kind === 'member' ? actor.memberId : null;
  const ended = await withdraw(client, [
    organizationId,
    environment,
    requestIds,
    memberId,
    new Date(deps.clock.now()),
    reason,
    claimedBefore(deps),
  ]);
  if (ended.length < requestIds.length)
    throw new BestowError('resource_locked', {
      message: 'A gift to this contact is being approved. Try again in a minute.',
    });
  const withdrawn = ended.filter(({ state }) => state === 'withdrawn');
  for (const { request_id, amount_cents } of withdrawn)
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      target: encodeId('ask', request_id),
      action: 'gift_request.withdrawn',
      details: { amount_cents, reason },
    });
  return withdrawn.map(({ request_id }) => request_id);
}
