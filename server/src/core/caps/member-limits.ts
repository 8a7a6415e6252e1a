import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { lockUsableBalance } from '../balances/lock-balance.ts';
import type { Deps } from '../deps.ts';
import { alertAdmins } from '../organizations/alert-admins.ts';
import { recordEvent } from './actions.ts';
import { changeCaps, isRaised, requireCapAmounts } from './change-caps.ts';
import * as queries from './queries.ts';
import { startsOf } from './window.ts';

const periods = ['day', 'month', 'recipient'] as const;
type Period = (typeof periods)[number];

/** In cents; null: no limit. `recipient`: what one recipient may get on a day. */
type MemberLimitAmounts = Record<Period, number | null>;

interface LimitOfHolder extends MemberLimitAmounts {
  /** `mem_…` or `team_…`. */
  holder_id: string;
  /** In the day and the month that have begun, in UTC; 0 without a limit. */
  spent: { day: number; month: number };
}

/** Lists the limits of members and teams that have some. */
export async function listMemberLimits(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { organizationId, environment }: Scope,
): Promise<LimitOfHolder[]> {
  const { hour, day, month } = startsOf(clock.now());
  const [caps, holders] = await Promise.all([
    queries.selectCaps(database.read, [organizationId, environment, hour, day, month]),
    queries.selectMemberHolders(database.read, [organizationId]),
  ]);
  return holders.flatMap(({ holder_id, kind }) => {
    const own = caps.filter((cap) => cap.holder_id === holder_id);
    if (own.length === 0) return [];
    const find = (period: Period) => own.find((cap) => cap.period === period);
    return [
      {
        holder_id: encodeId(kind, holder_id),
        day: find('day')?.cap_cents ?? null,
        month: find('month')?.cap_cents ?? null,
        recipient: find('recipient')?.cap_cents ?? null,
        spent: { day: find('day')?.spent_cents ?? 0, month: find('month')?.spent_cents ?? 0 },
      },
    ];
  });
}

interface LimitSetting extends Scope {
  /** `mem_…` or `team_…`. */
  holderId: string;
  amounts: MemberLimitAmounts;
  actor: Actor;
}

/**
 * Sets what a member, or all of a team, may send in a day and in a month (UTC), and to one recipient on a day. What was sent in
 * the windows that have begun counts; of a team, what its members of now sent. Emails all admins if a limit was raised or removed.
 *
 * When this returns, no order exceeds the new limits.
 *
 * @throws OperatorError if the holder does not exist, or an amount is out of bounds
 */
export async function setMemberLimits(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>,
  { organizationId, environment, holderId, amounts, actor }: LimitSetting,
): Promise<void> {
  requireCapAmounts(amounts);
  const uuid = decodeId('mem', holderId) ?? decodeId('team', holderId);
  const set = async (client: PoolClient) => {
    const { lastId } = await lockUsableBalance(client, organizationId, environment);
    const holder = (await queries.selectMemberHolders(client, [organizationId])).find(
      ({ holder_id, kind }) => holder_id === uuid && encodeId(kind, holder_id) === holderId,
    );
    if (holder === undefined) throw new OperatorError(`There is no member or team ${holderId}.`);
    const changed = await changeCaps(client, deps, {
      organizationId,
      environment,
      holderId: holder.holder_id,
      amounts,
      lastId,
    });
    if (changed === undefined) return;
    const { day, month, recipient } = changed.after;
    await recordEvent(client, deps, actor, {
      organizationId,
      environment,
      target: holderId,
      action: 'limits.set',
      details: { of: holder.name, day_cents: day, month_cents: month, recipient_cents: recipient },
    });
    if (isRaised(changed)) {
      const organization = { organization_id: organizationId };
      await alertAdmins(client, deps, { organization, change: 'limits_raised', about: holder.name, actor });
    }
  };
  await inOrganization(deps.database, organizationId, set, { lockWaitMs: LOCK_TIMEOUT_MS });
}
