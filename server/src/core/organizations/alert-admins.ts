import type { PoolClient } from 'pg';
import { type Actor, actorAddress, actorName } from '../../platform/base/actor.ts';
import type { Deps } from '../deps.ts';
import type { AccessChange } from '../notices/notice.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { listAdminAddresses } from './list-admin-addresses.ts';

interface Alert {
  organization: { organization_id: string; name: string };
  change: AccessChange;
  /** Whom or what the change is about, such as an address. */
  about: string;
  actor: Actor;
}

/** Queues an email to every active admin about a change of who may do what, in the caller's transaction. */
export async function alertAdmins(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids' | 'tracer'>,
  { organization, change, about, actor }: Alert,
): Promise<void> {
  await queueNotices(client, deps, {
    organizationId: organization.organization_id,
    recipients: await listAdminAddresses(client, organization.organization_id),
    notice: {
      kind: 'access_changed',
      details: {
        organization_name: organization.name,
        change,
        about,
        by: actorName(actor),
        from: actorAddress(actor),
        at: new Date(deps.clock.now()).toISOString(),
      },
    },
  });
}
