import type { Deps } from '../../core/deps.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { recordEvent } from './actions.ts';

/** Records in an organization's audit log that a recipient found its live gifts by a code to their address. */
export const recordFound = (
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  organizationId: string,
  gifts: number,
): Promise<void> =>
  inOrganization(deps.database, organizationId, (client) =>
    recordEvent(
      client,
      deps,
      { kind: 'recipient' },
      { organizationId, environment: 'live', action: 'gifts.found', details: { gifts } },
    ),
  );
