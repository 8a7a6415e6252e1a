import type { PoolClient } from 'pg';
import type { Deps } from '../../core/deps.ts';
import type { TopupEvent } from '../../core/notices/notice.ts';
import { queueNotices } from '../../core/notices/queue-notices.ts';
import { listAdminAddresses } from '../../core/organizations/list-admin-addresses.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { selectName } from './queries.ts';

/** Queues a mail to every admin, in the caller's transaction. */
export async function notifyOfTopup(
  client: PoolClient,
  deps: Pick<Deps, 'clock' | 'ids' | 'tracer'>,
  organizationId: string,
  details: { event: TopupEvent; amount_cents: number; card?: string },
): Promise<void> {
  const [organization] = await selectName(client, [organizationId]);
  await queueNotices(client, deps, {
    organizationId,
    recipients: await listAdminAddresses(client, organizationId),
    notice: {
      kind: 'topup',
      details: {
        organization_name: organization?.name ?? '',
        organization_id: encodeId('org', organizationId),
        ...details,
      },
    },
  });
}
