import type { PoolClient } from 'pg';
import { findEarlierKey } from '../../platform/authentication/find-earlier-key.ts';
import { parseKey } from '../../platform/authentication/key-format.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { onEveryShard } from '../../platform/database/on-every-shard.ts';
import { shardOf } from '../../platform/database/shard-of.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { type IssuedKey, issueKey, type KeyLimits } from './issue-key.ts';
import { notifyAdmins } from './notify-admins.ts';
import { insertEarlierKey } from './queries.ts';

/**
 * Imports a legacy key, so that it keeps working, and emails every admin. A refused import changes nothing.
 *
 * @throws OperatorError if the key is not a legacy key or exists in any organization, or if the organization does not
 *   exist or has ten active keys
 */
export async function importKey(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  input: {
    organizationId: string;
    environment: Environment;
    name: string;
    key: string;
    actor: Actor;
    limits?: KeyLimits | undefined;
  },
): Promise<IssuedKey> {
  const parsed = parseKey(input.key);
  if (parsed === undefined || parsed.environment !== undefined)
    throw new OperatorError('Only legacy keys can be imported: “sk_” and at least 8 characters without spaces.');
  const organization = await findOrganization(deps, input.organizationId);
  const newKey = { ...input, organizationId: organization.organization_id };
  const own = shardOf(newKey.organizationId, deps.database.shards.length);
  const imported = await onEveryShard(deps.database, async (client, shard) => {
    await recordEarlierKey(client, parsed.hash, newKey);
    if (shard !== own) return undefined;
    const key = await issueKey(client, deps, 'key.imported', newKey);
    await notifyAdmins(client, deps, { kind: 'key_created', organization, key, actor: input.actor });
    return key;
  });
  return imported[own] as IssuedKey;
}

async function recordEarlierKey(
  client: PoolClient,
  hash: Buffer,
  { organizationId, environment }: Scope,
): Promise<void> {
  const [inserted] = await insertEarlierKey(client, [hash, organizationId, environment]);
  if (inserted !== undefined) return;
  const owner = await findEarlierKey(client, hash);
  throw new OperatorError(`This key is already imported for ${encodeId('org', owner?.organizationId ?? '')}.`);
}
