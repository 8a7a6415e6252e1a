import { BestowError } from '../../platform/base/errors.ts';
import { createSecret } from '../../platform/base/webhook-signature.ts';
import { type ChangeDeps, changeEndpoint, type EndpointChange } from './change-endpoint.ts';
import { shownUrl } from './endpoint-input.ts';
import { findEndpoint } from './find-endpoint.ts';
import { pushEnds } from './push-ends.ts';
import { type EndpointRow, rotateSecret as rotate } from './queries.ts';

const HOUR_MS = 3_600_000;
export const DEFAULT_OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 168;
/** Sign a push at once; the table holds no more. */
export const MAX_SECRETS = 5;

/**
 * Gives an endpoint a new secret. Until the overlap ends, each push is signed with the one before too. Secrets of earlier
 * rotations sign as long as was said then, unless the overlap is 0: all end at once then.
 *
 * @throws BestowError `resource_missing`, `parameter_invalid` if too many secrets would sign; as `actOnce`
 */
export async function rotateSecret(
  deps: ChangeDeps,
  change: EndpointChange,
  overlapHours = DEFAULT_OVERLAP_HOURS,
): Promise<{ endpoint: EndpointRow; secret: string; isReplay: boolean }> {
  const { caller, endpointId } = change;
  const secret = createSecret();
  const now = new Date(deps.clock.now());
  const until = new Date(now.getTime() + overlapHours * HOUR_MS);
  const rotated = await changeEndpoint(deps, change, {
    async change(client) {
      const key = [caller.organizationId, caller.environment, endpointId] as const;
      const values = [deps.cipher.encrypt(secret), until, pushEnds(deps), now, MAX_SECRETS - 1] as const;
      const [endpoint] = await rotate(client, [...key, ...values]);
      if (endpoint === undefined) throw tooManySecrets(await findEndpoint(client, caller, endpointId), now);
      return { endpoint, secret, isReplay: false };
    },
    taken: ({ url }) => [
      { action: 'webhook.secret_rotated', details: { url: shownUrl(url), overlap_hours: overlapHours } },
    ],
  });
  if (rotated !== 'replayed') return rotated;
  const { secret: sealed, ...endpoint } = await findEndpoint(deps.database.read, caller, endpointId);
  return { endpoint, secret: deps.cipher.decrypt(sealed) ?? '', isReplay: true };
}

function tooManySecrets({ previous_secret_until, earlier_secrets_until }: EndpointRow, now: Date): BestowError {
  const untils = [previous_secret_until, ...earlier_secrets_until].filter((until) => until !== null && until > now);
  const first = new Date(Math.min(...untils.map(Number)));
  return new BestowError('parameter_invalid', {
    param: 'overlap_hours',
    message: `Each push is signed with ${MAX_SECRETS} secrets already. Wait until ${first.toISOString()}, or choose an overlap of 0 hours, which ends all earlier secrets at once.`,
  });
}
