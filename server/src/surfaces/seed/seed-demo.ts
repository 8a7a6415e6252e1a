import { hostname } from 'node:os';
import { appendEntry } from '../../core/balances/append-entry.ts';
import { insertNewCategory } from '../../core/catalog/add-category.ts';
import { builtInCategories } from '../../core/catalog/built-in.ts';
import type { Deps } from '../../core/deps.ts';
import { issueKey } from '../../core/keys/issue-key.ts';
import { addOrganization } from '../../core/organizations/create-organization.ts';
import { findEveryMembership } from '../../core/organizations/find-memberships.ts';
import { createKey } from '../../platform/authentication/key-format.ts';
import type { Actor } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { lockSeeding, selectIsFirstRun } from './queries.ts';

const ORGANIZATION_NAME = 'Demo Organization';
export const ADMIN_EMAIL = 'admin@demo.test';
/** Live funds are only for a temporary database. */
export const FUNDING_CENTS = { live: 1_000_000, sandbox: 100_000_000 } as const satisfies Record<Environment, number>;
/** The namespace of this advisory lock: `seed` in ASCII. */
const LOCK_CLASS = 0x73656564;

/** Until the end of the transaction. */
export async function lockSeeds(client: Queryable): Promise<void> {
  await lockSeeding(client, [LOCK_CLASS, 0]);
}

/** Shown to the operator once. */
export interface SeededDemo {
  liveKey: string;
  sandboxKey: string;
  adminEmail: string;
  organizationName: string;
}

/** Who signs in to the demo; undefined if it was never seeded, or its admin is gone. */
export async function findDemoAdmin(deps: Pick<Deps, 'database'>): Promise<string | undefined> {
  return (await findEveryMembership(deps, ADMIN_EMAIL)).length > 0 ? ADMIN_EMAIL : undefined;
}

/**
 * Seeds an empty database with the built-in catalog and an organization with a key for each environment and
 * funds in the sandbox. Runs once,
 * in one transaction, even if several processes start together.
 *
 * @returns undefined if the database already has an organization or a category
 */
export function seedDemo(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  { hasLiveFunds }: { hasLiveFunds: boolean },
): Promise<SeededDemo | undefined> {
  const actor: Actor = { kind: 'operator', name: 'first start', address: hostname() };
  const [server] = deps.database.shards;
  if (server === undefined) throw new Error('There is no database.');
  return inTransaction(server, async (client) => {
    await lockSeeds(client);
    const [state] = await selectIsFirstRun([client], []);
    if (!state?.is_first_run) return undefined;
    const organizationId = deps.ids.next();
    await addOrganization(client, deps, organizationId, {
      name: ORGANIZATION_NAME,
      adminEmail: ADMIN_EMAIL,
      actor,
    });
    const keys = { live: createKey('live', organizationId), sandbox: createKey('sandbox', organizationId) };
    for (const environment of ['live', 'sandbox'] as const) {
      const owner = { organizationId, environment, actor };
      const name = `Demo ${environment} key`;
      await issueKey(client, deps, 'key.created', { ...owner, name, key: keys[environment] });
      if (environment === 'live' && !hasLiveFunds) continue;
      await appendEntry(client, deps, {
        ...owner,
        kind: 'funding',
        amountCents: FUNDING_CENTS[environment],
        reference: undefined,
        note: 'Demo funds',
      });
    }
    for (const { id, name, description, artwork } of builtInCategories)
      await insertNewCategory(client, { id, name, description, artwork }, new Date(deps.clock.now()));
    return {
      liveKey: keys.live,
      sandboxKey: keys.sandbox,
      adminEmail: ADMIN_EMAIL,
      organizationName: ORGANIZATION_NAME,
    };
  });
}
