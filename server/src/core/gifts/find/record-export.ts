import type { Actor } from '../../../platform/base/actor.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import type { PlatformDeps } from '../../../platform/deps.ts';
import { recordEvent } from '../gift/actions.ts';

/** Records that someone downloads gifts with their addresses, before the first row is sent. */
export async function recordExport(
  deps: Pick<PlatformDeps, 'database' | 'clock' | 'ids'>,
  { organizationId, environment }: Scope,
  actor: Actor,
): Promise<void> {
  await inOrganization(deps.database, organizationId, (client) =>
    recordEvent(client, deps, actor, { organizationId, environment, action: 'gifts.exported', details: {} }),
  );
}
