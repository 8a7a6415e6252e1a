import type { PoolClient } from 'pg';
import { type Actor, actorAddress, actorName } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import type { Deps } from '../deps.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { listAdminAddresses } from '../organizations/list-admin-addresses.ts';

interface KeyNotice {
  kind: 'key_created' | 'key_revoked';
  organization: { organization_id: string; name: string };
  key: { name: string; hint: string; environment: Environment };
  actor: Actor;
}

/** Queues an email to every active admin about a created or revoked key, in the caller's transaction. */
export async function notifyAdmins(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids' | 'jobs'>,
  { kind, organization, key, actor }: KeyNotice,
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
        by: actorName(actor),
        from: actorAddress(actor),
        at: new Date(deps.clock.now()).toISOString(),
      },
    },
  });
}
