import type { Actor } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import { encodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { type IssuedKey, issueKey } from './issue-key.ts';
import { hashKey, isLegacyKey } from './key-format.ts';
import { notifyAdmins } from './notify-admins.ts';
import * as queries from './queries.ts';

/** The namespace of these advisory locks: `keys` in ASCII. */
const LOCK_CLASS = 0x6b657973;

/**
 * Imports a legacy key, so that it keeps working, and emails every admin.
 *
 * @throws OperatorError if the key is not a legacy key or exists in any organization, or if the organization does not
 *   exist or has ten active keys
 */
export async function importKey(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'jobs'>,
  input: { organizationId: string; environment: Environment; name: string; key: string; actor: Actor },
): Promise<IssuedKey> {
  if (!isLegacyKey(input.key))
    throw new OperatorError('Only legacy keys can be imported: “sk_” and at least 8 characters without spaces.');
  const organization = await findOrganization(deps, input.organizationId);
  const hash = hashKey(input.key);
  return inTransaction(deps.database.pool, async (client) => {
    await queries.lockHash(client, [LOCK_CLASS, hash.readInt32BE()]);
    const [known] = await queries.selectKeyByHash(client, [hash]);
    if (known)
      throw new OperatorError(
        `This key is already imported: ${encodeId('key', known.key_id)} of ${encodeId('org', known.organization_id)}.`,
      );
    const newKey = { ...input, organizationId: organization.organization_id };
    const imported = await issueKey(client, deps, 'key.imported', newKey);
    await notifyAdmins(client, deps, { kind: 'key_created', organization, key: imported, actor: input.actor });
    return imported;
  });
}
