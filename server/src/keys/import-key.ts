import type { Actor } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import { encodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { type IssuedKey, issueKey } from './issue-key.ts';
import { hashKey, isLegacyKey } from './key-format.ts';
import * as queries from './queries.ts';
import { tellAdmins } from './tell-admins.ts';

/** Sets these locks apart from others of two numbers: «keys» in ASCII. */
const LOCK_CLASS = 0x6b657973;

/**
 * Takes over a key that was issued before this service made its own, so that it keeps working; every
 * admin is mailed.
 *
 * @throws OperatorError where it is no such key, is known already (in any organization), there is no such organization,
 *   or it has ten active keys
 */
export async function importKey(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'jobs'>,
  input: { organizationId: string; environment: Environment; name: string; key: string; actor: Actor },
): Promise<IssuedKey> {
  if (!isLegacyKey(input.key))
    throw new OperatorError('Only an older key can be imported: “sk_” and at least 8 characters without blanks.');
  const organization = await findOrganization(deps, input.organizationId);
  const hash = hashKey(input.key);
  return inTransaction(deps.database.pool, async (client) => {
    await queries.lockHash(client, [LOCK_CLASS, hash.readInt32BE()]);
    const [known] = await queries.selectKeyByHash(client, [hash]);
    if (known)
      throw new OperatorError(
        `This key was imported before: it is ${encodeId('key', known.key_id)} of ${encodeId('org', known.organization_id)}.`,
      );
    const newKey = { ...input, organizationId: organization.organization_id };
    const imported = await issueKey(client, deps, 'key.imported', newKey);
    await tellAdmins(client, deps, { kind: 'key_created', organization, key: imported, actor: input.actor });
    return imported;
  });
}
