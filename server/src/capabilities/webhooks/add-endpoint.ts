import { lockOrganization } from '../../core/organizations/lock-organization.ts';
import { type Caller, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import { namedKey } from '../../platform/authentication/named-key.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { createSecret } from '../../platform/base/webhook-signature.ts';
import { actOnce, earlierResource, type OnceRequest } from '../../platform/idempotency/act-once.ts';
import { recordEvent } from './actions.ts';
import type { ChangeDeps } from './change-endpoint.ts';
import { checkUrl, type EndpointInput, shownUrl } from './endpoint-input.ts';
import { findEndpoint } from './find-endpoint.ts';
import { type EndpointRow, insertEndpoint, selectCaller } from './queries.ts';

/** Per organization and environment. */
export const MAX_ENDPOINTS = 10;

interface NewEndpoint {
  caller: Caller;
  input: EndpointInput;
  actor: Actor;
  once?: OnceRequest | undefined;
}

/**
 * Adds an endpoint, which gets the events from now on, and returns its secret. A repetition with the same key returns the
 * same secret.
 *
 * @throws BestowError `parameter_invalid`, `webhook_endpoint_limit_reached`; as `actOnce`
 */
export async function addEndpoint(
  deps: ChangeDeps,
  { caller, input, actor, once }: NewEndpoint,
): Promise<{ endpoint: EndpointRow; secret: string; isReplay: boolean }> {
  const url = checkUrl(input.url, caller.environment, deps);
  const endpointId = deps.ids.next();
  const secret = createSecret();
  const { organizationId, environment } = caller;
  const added = await actOnce(deps, caller, once && { ...once, resourceId: endpointId }, async (client) => {
    const [admittedRow] = await selectCaller(client, parametersOf(caller));
    requireAdmitted(caller, admittedRow);
    await lockOrganization(client, organizationId);
    const [endpoint] = await insertEndpoint(client, [
      organizationId,
      environment,
      endpointId,
      url,
      input.description,
      input.types,
      input.isOrdered,
      deps.cipher.encrypt(secret),
      new Date(deps.clock.now()),
      MAX_ENDPOINTS,
    ] as Parameters<typeof insertEndpoint>[1]);
    if (endpoint === undefined) throw new BestowError('webhook_endpoint_limit_reached');
    await recordEvent(client, deps, namedKey(actor, caller), {
      organizationId,
      environment,
      target: encodeId('wh', endpointId),
      action: 'webhook.added',
      details: { url: shownUrl(url) },
    });
    return { endpoint, secret, isReplay: false };
  });
  if (added === undefined) throw new BestowError('internal_error');
  if (added !== 'replayed') return added;
  const earlierId = await earlierResource(deps, caller, once);
  if (earlierId === undefined) throw new BestowError('resource_missing');
  const { secret: sealed, ...endpoint } = await findEndpoint(deps.database.read, caller, earlierId);
  return { endpoint, secret: deps.cipher.decrypt(sealed) ?? '', isReplay: true };
}
