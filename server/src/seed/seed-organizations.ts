import { appendEntry } from '../balances/append-entry.ts';
import type { Actor } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import { encodeId } from '../base/ids.ts';
import { inTransaction, UNTIL_IT_IS_DONE } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { issueKey } from '../keys/issue-key.ts';
import { createKey } from '../keys/key-format.ts';
import { addOrganization } from '../organizations/create-organization.ts';

interface Seeding {
  organizations: number;
  environment: Environment;
  /** 1 or more, of each organization. */
  balanceCents: number;
  actor: Actor;
}

interface SeededOrganization {
  organization_id: string;
  /** The full key, shown only once. */
  key: string;
}

/**
 * Creates organizations for load tests in one transaction, each with an unreachable admin, a key and a balance. A thousand
 * take a few seconds.
 */
export function seedOrganizations(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizations, environment, balanceCents, actor }: Seeding,
): Promise<SeededOrganization[]> {
  return inTransaction(
    deps.database.pool,
    async (client) => {
      const seeded: SeededOrganization[] = [];
      for (let number = 1; number <= organizations; number += 1) {
        const name = `Seeded organization ${number}`;
        // `.test` is reserved and never resolves (RFC 2606).
        const adminEmail = `admin@organization-${number}.test`;
        const { organizationId } = await addOrganization(client, deps, { name, adminEmail, actor });
        const owner = { organizationId, environment, actor };
        const key = createKey(environment);
        await issueKey(client, deps, 'key.created', { ...owner, name: 'Seeded key', key });
        const funding = { kind: 'funding', amountCents: balanceCents, reference: undefined, note: undefined } as const;
        await appendEntry(client, deps, { ...owner, ...funding });
        seeded.push({ organization_id: encodeId('org', organizationId), key });
      }
      return seeded;
    },
    UNTIL_IT_IS_DONE,
  );
}
