import type { PoolClient } from 'pg';
import { type Actor, actorAddress, actorName } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import type { Deps } from '../deps.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { listAdminAddresses } from '../organizations/list-admin-addresses.ts';
import type { KeyRow } from './queries.ts';

interface KeyNotice {
  kind: 'key_created' | 'key_revoked' | 'key_rolled';
  organization: { organization_id: string; name: string };
  key: { name: string; hint: string; environment: Environment } & Partial<Pick<KeyRow, 'expires_at' | 'networks'>>;
  /** The key that was replaced, and until when it works. */
  replaced?: { hint: string; worksUntil: Date };
  actor: Actor;
}

/** Queues an email to every active admin about a created, revoked or replaced key, in the caller's transaction. */
export async function notifyAdmins(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids' | 'tracer'>,
  { kind, organization, key, replaced, actor }: KeyNotice,
): Promise<void> {
  await queueNotices(client, deps, {
    organizationId: organization.organization_id,
    recipients: await listAdminAddresses(client, organization.organization_id),
    notice: {
      kind,
      details: {
        organization_name: organization.name,
        key_name: key.name,
        key_hint: key.hint,
        environment: key.environment,
        ...(key.expires_at && { expires_at: key.expires_at.toISOString() }),
        ...(key.networks && { networks: key.networks }),
        ...(replaced && { replaced_hint: replaced.hint, replaced_until: replaced.worksUntil.toISOString() }),
        by: actorName(actor),
        from: actorAddress(actor),
        at: new Date(deps.clock.now()).toISOString(),
      },
    },
  });
}
