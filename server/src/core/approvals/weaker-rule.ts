import { isDeepStrictEqual } from 'node:util';
import type { PoolClient } from 'pg';
import { type Actor, actorName } from '../../platform/base/actor.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import type { Deps } from '../deps.ts';
import { requireSecondPerson } from '../organizations/require-second-person.ts';
import * as queries from './rule-queries.ts';

/** For so long another person can confirm it. */
const WAITS_MS = 7 * DAY_MS;

interface RuleValues {
  above_cents: number;
  approvals: number;
  approver_ids: readonly string[];
}

/** Whether a rule of two approvals holds less back than before, or may be approved by others. */
export function isWeaker(before: RuleValues | undefined, after: RuleValues | undefined): boolean {
  if (before?.approvals !== 2) return false;
  const named = ({ approver_ids }: RuleValues) => [...approver_ids].sort().join(' ');
  return (
    after === undefined ||
    after.approvals < 2 ||
    after.above_cents > before.above_cents ||
    named(after) !== named(before)
  );
}

export const findRuleChanges = (
  client: Parameters<typeof queries.selectRuleChanges>[0],
  { clock }: Pick<Deps, 'clock'>,
  organizationId: string,
) => queries.selectRuleChanges(client, [organizationId, new Date(clock.now() - WAITS_MS)]);

interface Weaker {
  organizationId: string;
  holderId: string;
  /** `above_cents`: null: the rule ends. */
  wanted: { above_cents: number | null; approvals: number; approver_ids: readonly string[] };
  actor: Actor;
}

/**
 * Notes that a person asks for a weaker rule, or finds that another person asked for the same.
 *
 * @returns `confirmed`: two people want it; `again`: the same person asked for it before
 * @throws OperatorError if the second person was made one since the day before
 */
export async function confirm(
  client: PoolClient,
  deps: Pick<Deps, 'clock'>,
  { organizationId, holderId, wanted, actor }: Weaker,
): Promise<'asked' | 'again' | 'confirmed'> {
  const changes = await findRuleChanges(client, deps, organizationId);
  const asked = changes.find(({ holder_id }) => holder_id === holderId);
  const { above_cents, approvals, approver_ids } = wanted;
  const isSame =
    asked !== undefined &&
    isDeepStrictEqual([asked.above_cents, asked.approvals, asked.approver_ids], [above_cents, approvals, approver_ids]);
  if (isSame && asked.asked_by === actorName(actor)) return 'again';
  if (!isSame) {
    const now = new Date(deps.clock.now());
    const values = [above_cents, approvals, approver_ids, actorName(actor), now] as const;
    await queries.upsertRuleChange(client, [organizationId, holderId, ...values]);
    return 'asked';
  }
  if (actor.kind === 'member')
    await requireSecondPerson(client, organizationId, actor, asked.asked_at, 'Someone else must confirm it.');
  return 'confirmed';
}
