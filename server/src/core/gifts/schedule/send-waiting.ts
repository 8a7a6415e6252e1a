import type { PoolClient } from 'pg';
import { admitted, parametersOf, requireAdmitted } from '../../../platform/authentication/caller.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import type { Deps } from '../../deps.ts';
import { initialState, steer } from '../../sandbox/steering.ts';
import * as queries from './schedule-queries.ts';

type SendDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'tracer'>;

const MAX_ORGANIZATIONS = 500;
/** In a statement: other acts wait for the gifts so long. */
const MAX_GIFTS = 500;
const MAX_STATEMENTS = 100;

/**
 * Sends scheduled gifts whose time has come, also those of the time without a worker; gifts on hold wait for their release.
 * Safe in several processes at once.
 */
export async function sendDueGifts(deps: SendDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  const found = await queries.selectDueOrganizations(deps.database.shards, [now, MAX_ORGANIZATIONS]);
  for (const { organization_id: organizationId, environment } of found)
    await sendDueGiftsOf(deps, { organizationId, environment });
}

/** Does so for one organization and environment; nothing while the sandbox is being reset. */
async function sendDueGiftsOf(deps: SendDeps, scope: Scope): Promise<void> {
  const caller = admitted(scope);
  const send = async (client: PoolClient) => {
    const due = [...parametersOf(caller), new Date(deps.clock.now()), MAX_GIFTS] as const;
    const rows = await queries.lockDueGifts(client, [...due]);
    requireAdmitted(caller, rows[0]);
    const gifts = rows.filter((row) => row.gift_id !== null);
    if (gifts.length > 0) await sendWaiting(client, deps, scope, gifts);
    return gifts.length;
  };
  try {
    for (let statement = 0; statement < MAX_STATEMENTS; statement += 1)
      if ((await inOrganization(deps.database, scope.organizationId, send)) < MAX_GIFTS) return;
  } catch (error) {
    if (!(error instanceof BestowError) || error.code !== 'resource_locked') throw error;
  }
}

/** Sends waiting gifts that the transaction has locked. In the sandbox the address steers each, as in an order. */
export async function sendWaiting(
  client: PoolClient,
  { clock, config, ids, tracer }: SendDeps,
  { organizationId, environment }: Scope,
  gifts: readonly queries.WaitingRow[],
): Promise<void> {
  const now = new Date(clock.now());
  const records = gifts.map((gift, n): queries.SentRecord => {
    const effect = steer(environment, config.sandboxMailDomain, gift);
    const { isSpent, ...state } = initialState(ids, now, gift, effect);
    return { n, gift_id: gift.gift_id, delivery_id: ids.next(), ...state, is_spent: isSpent };
  });
  await queries.sendWaiting(client, [
    organizationId,
    environment,
    JSON.stringify(records),
    new Date(now.getTime() + config.linkTtlMs),
    now,
    tracer?.current(),
  ]);
}
