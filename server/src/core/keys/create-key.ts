import { createKey as createSecret } from '../../platform/authentication/key-format.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { type IssuedKey, issueKey, type KeyLimits } from './issue-key.ts';
import { notifyAdmins } from './notify-admins.ts';

/** `key` is the secret, shown only once: the database stores its hash. */
export type CreatedKey = IssuedKey & { key: string };

/**
 * Creates a key and emails every admin.
 *
 * @throws OperatorError if the organization does not exist or has ten active keys, or the limits cannot be
 */
export async function createKey(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  input: {
    organizationId: string;
    environment: Environment;
    name: string;
    actor: Actor;
    limits?: KeyLimits | undefined;
  },
): Promise<CreatedKey> {
  const organization = await findOrganization(deps, input.organizationId);
  const key = createSecret(input.environment, organization.organization_id);
  const issued = await inOrganization(deps.database, organization.organization_id, async (client) => {
    const newKey = { ...input, organizationId: organization.organization_id, key };
    const created = await issueKey(client, deps, 'key.created', newKey);
    await notifyAdmins(client, deps, { kind: 'key_created', organization, key: created, actor: input.actor });
    return created;
  });
  const { key_id, ...rest } = issued;
  return { key_id, key, ...rest };
}
