import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { idOnShard } from '../../platform/database/shard-of.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { insertMember, insertOrganization } from './queries.ts';

interface NewOrganization {
  /** 1 to 200 characters; shown as the sender of gifts. */
  name: string;
  adminEmail: string;
  actor: Actor;
}

/**
 * Creates an organization with its first member, an active admin.
 *
 * @param input.shard its server, from 1; undefined: by chance
 * @throws OperatorError if there is no such shard
 */
export async function createOrganization(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { shard, ...input }: NewOrganization & { shard?: number | undefined },
): Promise<{ organization_id: string; name: string; member_id: string }> {
  const organizationId = newId(deps, shard);
  const memberId = await inOrganization(deps.database, organizationId, (client) =>
    addOrganization(client, deps, organizationId, input),
  );
  return {
    organization_id: encodeId('org', organizationId),
    name: input.name,
    member_id: encodeId('mem', memberId),
  };
}

/** The id alone says where an organization is, so that no process must look it up. */
function newId({ database, ids }: Pick<Deps, 'database' | 'ids'>, shard: number | undefined): string {
  if (shard === undefined) return ids.next();
  const count = database.servers.length;
  if (shard > count) throw new OperatorError(`There is no shard ${shard}: DATABASE_SHARDS names ${count}.`);
  return idOnShard(shard - 1, count, () => ids.next());
}

/**
 * Does the same in the caller's transaction.
 *
 * @param organizationId new UUID
 * @returns the member's UUID
 */
export async function addOrganization(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  organizationId: string,
  { name, adminEmail, actor }: NewOrganization,
): Promise<string> {
  const memberId = deps.ids.next();
  const createdAt = new Date(deps.clock.now());
  await insertOrganization(client, [organizationId, name, createdAt]);
  await insertMember(client, [organizationId, memberId, adminEmail, 'admin', createdAt, false, null]);
  await recordEvent(client, deps, actor, {
    organizationId,
    action: 'organization.created',
    target: encodeId('org', organizationId),
    details: { name, admin_email: adminEmail },
  });
  return memberId;
}
