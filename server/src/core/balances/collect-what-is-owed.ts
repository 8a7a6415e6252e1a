import type { Actor } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { selectOwing } from './owed-queries.ts';
import { collectOwed } from './take-back.ts';

const MOST_AT_A_TIME = 200;
const ACTOR: Actor = { kind: 'operator', name: 'Bestow', address: 'job' };

/** Pays what organizations owe from what their balances got since, such as by a bank transfer that the operator credited. */
export async function collectWhatIsOwed(deps: Pick<Deps, 'clock' | 'database' | 'ids'>): Promise<void> {
  for (const { organization_id: organizationId } of await selectOwing(deps.database.shards, [MOST_AT_A_TIME]))
    await inOrganization(deps.database, organizationId, (client) =>
      collectOwed(client, deps, { organizationId, actor: ACTOR }),
    );
}
