import type { Actor } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { type IssuedKey, issueKey } from './issue-key.ts';
import { createKey as createSecret } from './key-format.ts';
import { notifyAdmins } from './notify-admins.ts';

/** `key` is the secret, shown only once: the database stores its hash. */
export type CreatedKey = IssuedKey & { key: string };

/**
 * Creates a key and emails every admin.
 *
 * @throws OperatorError if the organization does not exist or has ten active keys
 */
export async function createKey(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'jobs'>,
  input: { organizationId: string; environment: Environment; name: string; actor: Actor },
): Promise<CreatedKey> {
  const organization = await findOrganization(deps, input.organizationId);
  const key = createSecret(input.environment);
  const issued = await inTransaction(deps.database.pool, async (client) => {
    const newKey = { ...input, organizationId: organization.organization_id, key };
    const created = await issueKey(client, deps, 'key.created', newKey);
    await notifyAdmins(client, deps, { kind: 'key_created', organization, key: created, actor: input.actor });
    return created;
  });
  const { key_id, ...rest } = issued;
  return { key_id, key, ...rest };
}
