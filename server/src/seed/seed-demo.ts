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
/** Sets this lock apart from others of two numbers: «seed» in ASCII. */
const LOCK_CLASS = 0x73656564;

/** What the operator is shown this once. */
export interface SeededDemo {
  liveKey: string;
  sandboxKey: string;
  adminEmail: string;
  organizationName: string;
}

/**
 * On the first run, where there is neither an organization nor a category: a funded organization with a key for each
 * environment, and the built-in catalog. All or nothing, and once, also where several processes start together.
 *
 * @returns undefined where the database was in use already
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
