import type { Actor } from '../../platform/base/actor.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { recordEvent } from './actions.ts';
import { type PresentedKey, presentKey } from './list-keys.ts';
import { notifyAdmins } from './notify-admins.ts';
import * as queries from './queries.ts';

/**
 * Revokes a key permanently and emails every admin. Every process refuses the key from the next request on. Revoking it
 * again changes nothing.
 *
 * @throws OperatorError if the organization or the key does not exist
 */
export async function revokeKey(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { organizationId, keyId, actor }: { organizationId: string; keyId: string; actor: Actor },
): Promise<PresentedKey & { organization_id: string }> {
  const organization = await findOrganization(deps, organizationId);
  const { organization_id } = organization;
  const uuid = decodeId('key', keyId);
  if (uuid === undefined) throw new OperatorError(`There is no key ${keyId}.`);
  const row = await inOrganization(deps.database, organization_id, async (client) => {
    const [revoked] = await queries.revokeKey(client, [organization_id, uuid, new Date(deps.clock.now()), keyId]);
    if (revoked === undefined) return (await queries.selectKey(client, [organization_id, uuid]))[0];
    const { environment, name, hint } = revoked;
    await recordEvent(client, deps, actor, {
      organizationId: organization_id,
      environment,
      action: 'key.revoked',
      target: keyId,
      details: { name, hint },
    });
    await notifyAdmins(client, deps, { kind: 'key_revoked', organization, key: revoked, actor });
    return revoked;
  });
  if (row === undefined) throw new OperatorError(`There is no key ${keyId}.`);
  return { ...presentKey(row), organization_id: encodeId('org', organization_id) };
}
