import type { PoolClient } from 'pg';
import { type Actor, actorAddress, actorName } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import type { Deps } from '../deps.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { listAdminAddresses } from '../organizations/list-admin-addresses.ts';
import type { CapAmounts } from './change-caps.ts';

interface RaisedCap {
  organization: { organization_id: string; name: string };
  environment: Environment;
  keyName: string | undefined;
  before: CapAmounts;
  after: CapAmounts;
  actor: Actor;
}

/** Queues an email to every active admin about a cap that was raised or removed, in the caller's transaction. */
export async function notifyOfRaisedCap(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids' | 'tracer'>,
  { organization, environment, keyName, before, after, actor }: RaisedCap,
): Promise<void> {
  await queueNotices(client, deps, {
    organizationId: organization.organization_id,
    recipients: await listAdminAddresses(client, organization.organization_id),
    notice: {
      kind: 'cap_raised',
      details: {
        organization_name: organization.name,
        key_name: keyName ?? null,
        environment,
        before,
        after,
        by: actorName(actor),
        from: actorAddress(actor),
        at: new Date(deps.clock.now()).toISOString(),
      },
    },
  });
}
