import type { PoolClient } from 'pg';
import { type Actor, actorAddress, actorName } from '../../platform/base/actor.ts';
import type { Deps } from '../deps.ts';
import type { AccessChange } from '../notices/notice.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { listAdminAddresses } from './list-admin-addresses.ts';
import { selectOrganization } from './queries.ts';

interface Alert {
  /** Without its name it is looked up. */
  organization: { organization_id: string; name?: string };
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
  const { organization_id: organizationId, name } = organization;
  const organizationName = name ?? (await selectOrganization(client, [organizationId]))[0]?.name ?? '';
  await queueNotices(client, deps, {
    organizationId,
    recipients: await listAdminAddresses(client, organizationId),
    notice: {
      kind: 'access_changed',
      details: {
        organization_name: organizationName,
        change,
        about,
        by: actorName(actor),
        from: actorAddress(actor),
        at: new Date(deps.clock.now()).toISOString(),
      },
    },
  });
}
