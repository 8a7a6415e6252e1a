import { appendEntry } from '../../core/balances/append-entry.ts';
import type { Deps } from '../../core/deps.ts';
import { issueKey } from '../../core/keys/issue-key.ts';
import { addOrganization } from '../../core/organizations/create-organization.ts';
import { createKey } from '../../platform/authentication/key-format.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';

interface Seeding {
  organizations: number;
  environment: Environment;
  /** 1 or more, of each organization. */
  balanceCents: number;
  actor: Actor;
  /** Called after each organization, with the number so far. */
  onSeeded?: (count: number) => void;
}

interface SeededOrganization {
  organization_id: string;
  /** The full key, shown only once. */
  key: string;
}

/**
 * Creates organizations for load tests, each with an unreachable admin, a key and a balance. A thousand take a few seconds.
 */
export async function seedOrganizations(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { organizations, environment, balanceCents, actor, onSeeded }: Seeding,
): Promise<SeededOrganization[]> {
  const seeded: SeededOrganization[] = [];
  for (let number = 1; number <= organizations; number += 1) {
    const organizationId = deps.ids.next();
    const owner = { organizationId, environment, actor };
    const key = createKey(environment, organizationId);
    await inOrganization(deps.database, organizationId, async (client) => {
      const name = `Seeded organization ${number}`;
      // `.test` is reserved and never resolves (RFC 2606).
      const adminEmail = `admin@organization-${number}.test`;
      await addOrganization(client, deps, organizationId, { name, adminEmail, actor });
      await issueKey(client, deps, 'key.created', { ...owner, name: 'Seeded key', key });
      const funding = { kind: 'funding', amountCents: balanceCents, reference: undefined, note: undefined } as const;
      await appendEntry(client, deps, { ...owner, ...funding });
    });
    seeded.push({ organization_id: encodeId('org', organizationId), key });
    onSeeded?.(number);
  }
  return seeded;
}
