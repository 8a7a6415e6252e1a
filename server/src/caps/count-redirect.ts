import type { PoolClient } from 'pg';
import { lockBalance } from '../balances/lock-balance.ts';
import type { Scope } from '../base/principal.ts';
import type { Deps } from '../deps.ts';
import { capRefusal } from './cap-refusal.ts';
import * as queries from './queries.ts';
import { recipientHolder } from './recipient-holder.ts';
import { startsOf } from './window.ts';

interface Redirected {
  /** The new recipient's. */
  address: string;
  amountCents: number;
  now: Date;
}

const isCapped = ({ valuePerRecipientPerDay }: Deps['config'], { environment }: Scope) =>
  environment === 'live' && valuePerRecipientPerDay > 0;

/** Locks the balance before the gift, as cancellations do, if `countRedirect` needs it. */
export async function lockBeforeRedirect(
  client: PoolClient,
  { config }: Pick<Deps, 'config'>,
  scope: Scope,
): Promise<void> {
  if (isCapped(config, scope)) await lockBalance(client, scope.organizationId, scope.environment);
}

/**
 * Counts a redirected gift for its new recipient's day in the caller's transaction. An order that began before runs again,
 * because its snapshot no longer has the balance's last id.
 *
 * @throws BestowError `rate_limit_exceeded`
 */
export async function countRedirect(
  client: PoolClient,
  { config, ids }: Pick<Deps, 'config' | 'ids'>,
  scope: Scope,
  { address, amountCents, now }: Redirected,
): Promise<void> {
  const { valuePerRecipientPerDay: capCents, currency } = config;
  if (!isCapped(config, scope)) return;
  const { organizationId, environment } = scope;
  const { lastId } = await lockBalance(client, organizationId, environment);
  const { day } = startsOf(now.getTime());
  const counter = [organizationId, environment, recipientHolder(organizationId, address)] as const;
  const isCounted =
    amountCents <= capCents && (await queries.addToDay(client, [...counter, day, amountCents, capCents])).length > 0;
  if (!isCounted) {
    const cap = { of: 'recipient', period: 'day', cap_cents: capCents, window_started_at: day.toISOString() } as const;
    throw capRefusal('redirect', cap, now, currency);
  }
  ids.raiseAbove(lastId);
  await queries.markBalance(client, [organizationId, environment, ids.next()]);
}
