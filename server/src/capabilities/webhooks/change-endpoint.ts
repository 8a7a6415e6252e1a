import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import type { Caller } from '../../platform/authentication/caller.ts';
import { namedKey } from '../../platform/authentication/named-key.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { actOnce, type OnceRequest } from '../../platform/idempotency/act-once.ts';
import { recordEvent, type TakenWebhookAction } from './actions.ts';
import { findEndpoint } from './find-endpoint.ts';
import type { EndpointRow, EndpointSecrets } from './queries.ts';

export type ChangeDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'cipher'>;

/** Which endpoint, by whom. */
export interface EndpointChange {
  caller: Caller;
  /** UUID. */
  endpointId: string;
  actor: Actor;
  once?: OnceRequest | undefined;
}

interface Act<Result extends object> {
  change(client: PoolClient, endpoint: EndpointRow & EndpointSecrets): Promise<Result | undefined>;
  /** For the audit log. @param endpoint before the change */
  taken(endpoint: EndpointRow): readonly TakenWebhookAction[];
}

/**
 * Changes an endpoint and records it, in a transaction. An act that returns undefined found no endpoint.
 *
 * @throws BestowError `resource_missing`; as `actOnce`
 */
export async function changeEndpoint<Result extends object>(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { caller, endpointId, actor, once }: EndpointChange,
  { change, taken }: Act<Result>,
): Promise<Result | 'replayed'> {
  const changed = await actOnce(deps, caller, once, async (client) => {
    const endpoint = await findEndpoint(client, caller, endpointId);
    const result = await change(client, endpoint);
    if (result === undefined) return undefined;
    for (const action of taken(endpoint))
      await recordEvent(client, deps, namedKey(actor, caller), {
        organizationId: caller.organizationId,
        environment: caller.environment,
        target: encodeId('wh', endpointId),
        ...action,
      });
    return result;
  });
  if (changed === undefined) throw new BestowError('resource_missing');
  return changed;
}
