import { createSecret } from '../base/webhook-signature.ts';
import { type ChangeDeps, changeEndpoint, type EndpointChange } from './change-endpoint.ts';
import { shownUrl } from './endpoint-input.ts';
import { findEndpoint } from './find-endpoint.ts';
import { pushEnds } from './push-ends.ts';
import { type EndpointRow, rotateSecret as rotate } from './queries.ts';

const HOUR_MS = 3_600_000;
export const DEFAULT_OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 168;

/**
 * Gives an endpoint a new secret. Until the overlap ends, each push is signed with the earlier one too; a third secret is
 * never valid.
 *
 * @throws BestowError `resource_missing`; as `actOnce`
 */
export async function rotateSecret(
  deps: ChangeDeps,
  change: EndpointChange,
  overlapHours = DEFAULT_OVERLAP_HOURS,
): Promise<{ endpoint: EndpointRow; secret: string; isReplay: boolean }> {
  const { caller, endpointId } = change;
  const secret = createSecret();
  const until = new Date(deps.clock.now() + overlapHours * HOUR_MS);
  const rotated = await changeEndpoint(deps, change, {
    async change(client) {
      const key = [caller.organizationId, caller.environment, endpointId] as const;
      const [endpoint] = await rotate(client, [...key, deps.seal.seal(secret), until, pushEnds(deps)]);
      return endpoint && { endpoint, secret, isReplay: false };
    },
    taken: ({ url }) => ({
      action: 'webhook.secret_rotated',
      details: { url: shownUrl(url), overlap_hours: overlapHours },
    }),
  });
  if (rotated !== 'replayed') return rotated;
  const { secret: sealed, ...endpoint } = await findEndpoint(deps.database.read, caller, endpointId);
  return { endpoint, secret: deps.seal.open(sealed) ?? '', isReplay: true };
}
