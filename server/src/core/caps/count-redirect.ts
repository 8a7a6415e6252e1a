import type { PoolClient } from 'pg';
import type { Caller } from '../../platform/authentication/caller.ts';
import { lockBalance } from '../balances/lock-balance.ts';
import { markCapped } from '../balances/mark-balance.ts';
import type { Deps } from '../deps.ts';
import { capRefusal } from './cap-refusal.ts';
import * as queries from './queries.ts';
import { recipientHolder } from './recipient-holder.ts';
import { startsOf } from './window.ts';

type Redirector = Pick<Caller, 'organizationId' | 'environment' | 'keyHash' | 'isAgent'>;

interface Redirected {
  /** The new recipient's. */
  address: string;
  amountCents: number;
  now: Date;
}

const isCapped = ({ valuePerRecipientPerDay }: Deps['config'], { environment, isAgent }: Redirector) =>
  isAgent === true || (environment === 'live' && valuePerRecipientPerDay > 0);

/** Locks the balance before the gift, as cancellations do, if `countRedirect` needs it. */
export async function lockBeforeRedirect(
  client: PoolClient,
  { config }: Pick<Deps, 'config'>,
  caller: Redirector,
): Promise<void> {
  if (isCapped(config, caller)) await lockBalance(client, caller.organizationId, caller.environment);
}

/**
 * Counts a redirected gift for its new recipient's day in the caller's transaction: under the configuration's cap, and under
 * that of an agent's grant. An order that began before runs again, because its snapshot no longer has the balance's last id.
 *
 * @throws BestowError `insufficient_balance`, with the cap as reason
 */
export async function countRedirect(
  client: PoolClient,
  { config, ids }: Pick<Deps, 'config' | 'ids'>,
  caller: Redirector,
  { address, amountCents, now }: Redirected,
): Promise<void> {
  if (!isCapped(config, caller)) return;
  const { organizationId, environment } = caller;
  const { lastId } = await lockBalance(client, organizationId, environment);
  const { day } = startsOf(now.getTime());
  const recipient = recipientHolder(organizationId, address);
  const caps = await queries.selectCapsOnRecipient(client, [organizationId, environment, caller.keyHash]);
  if (environment === 'live' && config.valuePerRecipientPerDay > 0)
    caps.push({ of: 'recipient', holder: '', cap_cents: config.valuePerRecipientPerDay });
  for (const { of, holder, cap_cents } of caps) {
    const counter = [organizationId, environment, `${holder}${recipient}`] as const;
    const isCounted =
      amountCents <= cap_cents &&
      (await queries.addToDay(client, [...counter, day, amountCents, cap_cents])).length > 0;
    if (!isCounted) {
      const cap = { of, period: 'day', cap_cents, window_started_at: day.toISOString() } as const;
      throw capRefusal('redirect', cap, config.currency);
    }
  }
  await markCapped(client, [organizationId, environment], ids.after(lastId).next());
}
