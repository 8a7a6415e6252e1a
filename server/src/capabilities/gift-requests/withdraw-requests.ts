import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import { queueNotices } from '../../core/notices/queue-notices.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { recordEvent } from './actions.ts';
import { claimedBefore } from './decide-request.ts';
import { withdrawRequests as withdraw } from './queries.ts';

interface Withdrawal {
  /** UUIDs of open requests. */
  requestIds: readonly string[];
  /** UUIDs of those of which the member who asked hears. */
  toldIds: readonly string[];
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
  deps: Pick<Deps, 'clock' | 'ids' | 'tracer'>,
  { organizationId, environment }: Scope,
  { requestIds, toldIds, reason, actor }: Withdrawal,
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
  for (const { request_id, amount_cents, requester, organization_name } of withdrawn) {
    const target = encodeId('ask', request_id);
    const details = { amount_cents, reason };
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      target,
      action: 'gift_request.withdrawn',
      details,
    });
    const by = actor.kind === 'member' ? actor.email : 'An API key';
    if (!toldIds.includes(request_id) || requester === null || requester === by) continue;
    const about = { organization_name, organization_id: encodeId('org', organizationId), environment };
    await queueNotices(client, deps, {
      organizationId,
      recipients: [requester],
      notice: {
        kind: 'gift_request_decided',
        details: { ...about, request_id: target, ...details, state: 'withdrawn', by },
      },
    });
  }
  return withdrawn.map(({ request_id }) => request_id);
}
