import type { PoolClient } from 'pg';
import { recordEvent } from '../audit/record-event.ts';
import type { Actor } from '../base/actor.ts';
import { encodeId } from '../base/ids.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { insertMember, insertOrganization } from './queries.ts';

interface NewOrganization {
  /** 1 to 200 characters; shown as the sender of gifts. */
  name: string;
  adminEmail: string;
  actor: Actor;
}

/** Creates an organization with its first member, an active admin. */
export async function createOrganization(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  input: NewOrganization,
): Promise<{ organization_id: string; name: string; member_id: string }> {
  const added = await inTransaction(deps.database.pool, (client) => addOrganization(client, deps, input));
  return {
    organization_id: encodeId('org', added.organizationId),
    name: input.name,
    member_id: encodeId('mem', added.memberId),
  };
}

/** Does the same in the caller's transaction; returns UUIDs. */
export async function addOrganization(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids'>,
  { name, adminEmail, actor }: NewOrganization,
): Promise<{ organizationId: string; memberId: string }> {
  const organizationId = deps.ids.next();
  const memberId = deps.ids.next();
  const createdAt = new Date(deps.clock.now());
  await insertOrganization(client, [organizationId, name, createdAt]);
  await insertMember(client, [organizationId, memberId, adminEmail, 'admin', createdAt]);
  await recordEvent(client, deps, actor, {
    organizationId,
    action: 'organization.created',
    target: encodeId('org', organizationId),
    details: { name, admin_email: adminEmail },
  });
  return { organizationId, memberId };
}
