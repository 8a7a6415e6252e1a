import { type Actor, actorAddress, actorName } from '../base/actor.ts';
import type { Queryable } from '../database/statement.ts';
import type { PlatformDeps } from '../deps.ts';
import type { NewEvent } from './actions.ts';
import { insertEvent } from './queries.ts';

/**
 * Records an audit event. Of the acts of API keys, which the request log has, it records those that name their key.
 *
 * @param client in the transaction of the change, so that both commit or neither
 */
export async function recordEvent(
  client: Queryable,
  deps: Pick<PlatformDeps, 'clock' | 'ids'>,
  actor: Actor,
  { organizationId, environment, action, target, details }: NewEvent,
): Promise<void> {
  if (actor.kind === 'key' && actor.keyId === undefined) return;
  await insertEvent(client, [
    organizationId,
    deps.ids.next(),
    environment ?? null,
    action,
    actor.kind,
    actor.kind === 'member' ? actor.memberId : null,
    actorName(actor),
    actorAddress(actor),
    target ?? null,
    JSON.stringify(withReason(actor, details)),
    new Date(deps.clock.now()),
  ]);
}

/** An operator's reason, unless the event has it already. */
function withReason(actor: Actor, details: object): object {
  const because = actor.kind === 'operator' ? actor.reason : undefined;
  return because === undefined || Object.values(details).includes(because) ? details : { ...details, because };
}
