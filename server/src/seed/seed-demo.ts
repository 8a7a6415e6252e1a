import { hostname } from 'node:os';
import { appendEntry } from '../balances/append-entry.ts';
import type { Actor } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import { insertNewCategory } from '../catalog/add-category.ts';
import { builtInCategories } from '../catalog/built-in.ts';
import { inTransaction } from '../database/connections.ts';
import type { Deps } from '../deps.ts';
import { issueKey } from '../keys/issue-key.ts';
import { createKey } from '../keys/key-format.ts';
import { addOrganization } from '../organizations/create-organization.ts';
import { lockSeeding, selectIsFirstRun } from './queries.ts';

const ORGANIZATION_NAME = 'Demo Organization';
const ADMIN_EMAIL = 'admin@demo.test';
const FUNDING_CENTS = { live: 1_000_000, sandbox: 100_000_000 } as const satisfies Record<Environment, number>;
/** The namespace of this advisory lock: `seed` in ASCII. */
const LOCK_CLASS = 0x73656564;

/** Shown to the operator once. */
export interface SeededDemo {
  liveKey: string;
  sandboxKey: string;
  adminEmail: string;
  organizationName: string;
}

/**
 * Seeds an empty database with the built-in catalog and a funded organization with a key for each environment. Runs once,
 * in one transaction, even if several processes start together.
 *
 * @returns undefined if the database already has an organization or a category
 */
export function seedDemo(deps: Pick<Deps, 'database' | 'clock' | 'ids'>): Promise<SeededDemo | undefined> {
  const actor: Actor = { kind: 'operator', name: 'first start', address: hostname() };
  return inTransaction(deps.database.pool, async (client) => {
    await lockSeeding(client, [LOCK_CLASS, 0]);
    const [state] = await selectIsFirstRun(client, []);
    if (!state?.is_first_run) return undefined;
    const { organizationId } = await addOrganization(client, deps, {
      name: ORGANIZATION_NAME,
      adminEmail: ADMIN_EMAIL,
      actor,
    });
    const keys = { live: createKey('live'), sandbox: createKey('sandbox') };
    for (const environment of ['live', 'sandbox'] as const) {
      const owner = { organizationId, environment, actor };
      const name = `Demo ${environment} key`;
      await issueKey(client, deps, 'key.created', { ...owner, name, key: keys[environment] });
      await appendEntry(client, deps, {
        ...owner,
        kind: 'funding',
        amountCents: FUNDING_CENTS[environment],
        reference: undefined,
        note: 'Demo funds',
      });
    }
    for (const { id, name, description, artwork } of builtInCategories)
      await insertNewCategory(client, deps, { id, name, description, artwork });
    return {
      liveKey: keys.live,
      sandboxKey: keys.sandbox,
      adminEmail: ADMIN_EMAIL,
      organizationName: ORGANIZATION_NAME,
    };
  });
}
