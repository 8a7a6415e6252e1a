import { createKey as createSecret } from '../../platform/authentication/key-format.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import type { CreatedKey } from './create-key.ts';
import { issueKey } from './issue-key.ts';
import { notifyAdmins } from './notify-admins.ts';
import * as queries from './queries.ts';

const HOUR_MS = 3_600_000;
/** Seven days. */
export const MAX_OVERLAP_HOURS = 168;

interface Roll {
  /** `org_…`. */
  organizationId: string;
  keyId: string;
  /** How long the earlier key goes on working; 0 to 168. */
  overlapHours: number;
  actor: Actor;
}

/**
 * Replaces a key by a new one with its name, networks and lifetime, and emails every admin. The earlier key expires after
 * the overlap. Both count as active until then.
 *
 * @throws OperatorError if the organization or an active key with this id does not exist, or ten keys would be active
 */
export async function rollKey(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { organizationId, keyId, overlapHours, actor }: Roll,
): Promise<CreatedKey & { replaced_key_id: string; replaced_until: Date }> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS)
    throw new OperatorError(`The overlap must be a whole number of hours from 0 to ${MAX_OVERLAP_HOURS}.`);
  const organization = await findOrganization(deps, organizationId);
  const { organization_id } = organization;
  const uuid = decodeId('key', keyId);
  const nowMs = deps.clock.now();
  const rolled = await inOrganization(deps.database, organization_id, async (client) => {
    await lockOrganization(client, organization_id);
    const [earlier] =
      uuid === undefined ? [] : await queries.lockActiveKey(client, [organization_id, uuid, new Date(nowMs)]);
    if (earlier === undefined) throw new OperatorError(`There is no active key ${keyId}.`);
    const { environment, name, hint, expires_at, networks, first_key_id: firstKeyId } = earlier;
    const end = new Date(nowMs + overlapHours * HOUR_MS);
    const [expired] = await queries.expireKey(client, [organization_id, earlier.key_id, end]);
    const worksUntil = expired?.expires_at ?? end;
    const key = createSecret(environment, organization_id);
    const lifetimeMs = expires_at && expires_at.getTime() - earlier.created_at.getTime();
    const replaced = { firstKeyId, hint, overlapHours, worksUntil };
    const limits = {
      networks: networks ?? [],
      expiresAt: lifetimeMs === null ? undefined : new Date(nowMs + lifetimeMs),
    };
    const newKey = { organizationId: organization_id, environment, name, key, actor, limits, replaced };
    const issued = await issueKey(client, deps, 'key.created', newKey);
    await notifyAdmins(client, deps, { kind: 'key_rolled', organization, key: issued, replaced, actor });
    return { ...issued, key, replaced_key_id: keyId, replaced_until: worksUntil };
  });
  const { key_id, key, ...rest } = rolled;
  return { key_id, key, ...rest };
}
