import { addFunds } from '../../server/src/core/balances/change-balance.ts';
import { addBuiltInCategories } from '../../server/src/core/catalog/add-built-in-categories.ts';
import { issueKey } from '../../server/src/core/keys/issue-key.ts';
import { createOrganization } from '../../server/src/core/organizations/create-organization.ts';
import { createKey } from '../../server/src/platform/authentication/key-format.ts';
import type { Actor } from '../../server/src/platform/base/actor.ts';
import { systemClock } from '../../server/src/platform/base/clock.ts';
import type { Environment } from '../../server/src/platform/base/environment.ts';
import { createIdGenerator, decodeId } from '../../server/src/platform/base/ids.ts';
import type { Database } from '../../server/src/platform/database/connections.ts';
import { inOrganization } from '../../server/src/platform/database/in-organization.ts';
import type { LoadOrganization } from '../load/state.ts';

const ACTOR: Actor = { kind: 'operator', name: 'reliability', address: 'localhost' };

export interface Wanted {
  environments: readonly Environment[];
  /** Its sandbox may be reset. */
  resets?: boolean;
}

/** Creates organizations with an admin and a key for each environment, without a balance. */
export async function addOrganizations(database: Database, wanted: readonly Wanted[]): Promise<LoadOrganization[]> {
  const deps = { database, clock: systemClock, ids: createIdGenerator(systemClock) };
  await addBuiltInCategories(deps);
  const added: LoadOrganization[] = [];
  for (const [index, { environments, resets = false }] of wanted.entries()) {
    const number = index + 1;
    const { organization_id: organizationId } = await createOrganization(deps, {
      name: `Organization o${number}-name`,
      adminEmail: `admin@organization-${number}.test`,
      actor: ACTOR,
    });
    for (const environment of environments) {
      const uuid = decodeId('org', organizationId) ?? '';
      const key = createKey(environment, uuid);
      const issued = { organizationId: uuid, environment, name: 'load', key, actor: ACTOR };
      await inOrganization(database, uuid, (client) => issueKey(client, deps, 'key.created', issued));
      added.push({ organizationId, environment, key, number, resets: resets && environment === 'sandbox' });
    }
  }
  return added;
}

/** Credits a balance once for each reference. @throws if the database does not answer */
export async function credit(
  database: Database,
  { organizationId, environment }: LoadOrganization,
  amountCents: number,
  reference: string,
): Promise<void> {
  const deps = { database, clock: systemClock, ids: createIdGenerator(systemClock) };
  await addFunds(deps, { organizationId, environment, amountCents, reference, note: undefined, actor: ACTOR });
}
