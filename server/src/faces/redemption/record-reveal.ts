import type { Deps } from '../../core/deps.ts';
import type { Capabilities } from '../../core/issuer/port.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recordEvent } from './actions.ts';

/** Records in the audit log that the holder of a card or code saw it. */
export const recordReveal = (
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { organizationId, environment }: Scope,
  giftId: string,
  kind: Capabilities['kind'],
): Promise<void> =>
  inOrganization(deps.database, organizationId, (client) =>
    recordEvent(
      client,
      deps,
      { kind: 'recipient' },
      {
        organizationId,
        environment,
        action: 'card.revealed',
        target: encodeId('gift', giftId),
        details: { kind },
      },
    ),
  );
