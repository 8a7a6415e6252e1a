import { type Actor, actorAddress, actorName } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import type { Queryable } from '../database/statement.ts';
import type { PlatformDeps } from '../deps.ts';
import { insertEvent } from './queries.ts';

/**
 * The text of each action that a folder records, shown after the actor's name: `Created the key “Web shop”`. Details never
 * contain a secret, a link or a recipient's full address.
 */
export type Sentences<Details> = {
  readonly [Name in keyof Details]: (details: Details[Name], money: (cents: number) => string) => string;
};

/** An action with its details. */
export type TakenAction<Details> = { [Name in keyof Details]: { action: Name; details: Details[Name] } }[keyof Details];

interface Subject {
  /** UUID. */
  organizationId: string;
  /** Undefined for changes to the whole organization. */
  environment?: Environment;
  /** The id of the changed object, such as `key_…`. */
  target?: string;
}

/**
 * Records an audit event. Of the acts of API keys, which the request log has, it records those that name their key.
 *
 * @param client in the transaction of the change, so that both commit or neither
 */
export type RecordEvent<Details> = (
  client: Queryable,
  deps: Pick<PlatformDeps, 'clock' | 'ids'>,
  actor: Actor,
  event: Subject & TakenAction<Details>,
) => Promise<void>;

/** A folder exports it as its `RecordEvent`. */
export async function recordAction(
  client: Queryable,
  deps: Pick<PlatformDeps, 'clock' | 'ids'>,
  actor: Actor,
  { organizationId, environment, action, target, details }: Subject & { action: string; details: object },
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
