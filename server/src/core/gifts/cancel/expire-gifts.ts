import type { PoolClient } from 'pg';
import { admitted } from '../../../platform/authentication/caller.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { DAY_MS } from '../../../platform/base/id-time.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import type { Deps } from '../../deps.ts';
import { ANNOUNCED_DAYS } from './announce-expiry.ts';
import * as queries from './expiry-queries.ts';
import { lockForRefunds } from './lock-for-refunds.ts';

type ExpireDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

const MAX_ORGANIZATIONS = 500;
/** In a statement: orders wait for the balance so long. */
const MAX_GIFTS = 100;
const MAX_STATEMENTS = 20;

/** Cancels gifts that have expired and were announced at least seven days ago. The rest follow a minute later. */
export async function expireGifts(deps: ExpireDeps): Promise<void> {
  const found = await queries.selectExpired(deps.database.shards, [...limitsOf(deps), MAX_ORGANIZATIONS]);
  for (const { organization_id: organizationId, environment } of found)
    await expireGiftsOf(deps, { organizationId, environment });
}

const limitsOf = ({ clock }: Pick<Deps, 'clock'>) =>
  [new Date(clock.now() - ANNOUNCED_DAYS * DAY_MS), new Date(clock.now())] as const;

/** Does so for one organization and environment; nothing while the sandbox is being reset. */
async function expireGiftsOf(deps: ExpireDeps, scope: Scope): Promise<void> {
  const expire = async (client: PoolClient) => {
    const entryIds = await lockForRefunds(client, deps, admitted(scope), MAX_GIFTS);
    const due = [scope.organizationId, scope.environment, ...limitsOf(deps)] as const;
    const [expired] = await queries.expireGifts(client, [...due, entryIds, MAX_GIFTS]);
    return expired?.gifts ?? 0;
  };
  try {
    for (let statement = 0; statement < MAX_STATEMENTS; statement += 1)
      if ((await inOrganization(deps.database, scope.organizationId, expire)) < MAX_GIFTS) return;
  } catch (error) {
    if (!(error instanceof BestowError) || error.code !== 'resource_locked') throw error;
  }
}
