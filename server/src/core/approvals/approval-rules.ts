import { isDeepStrictEqual } from 'node:util';
import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { waitForOrders } from '../balances/wait-for-orders.ts';
import { letOrdersSee } from '../caps/change-caps.ts';
import type { Deps } from '../deps.ts';
import { alertAdmins } from '../organizations/alert-admins.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { recordEvent } from './actions.ts';
import * as queries from './rule-queries.ts';
import { confirm, findRuleChanges, isWeaker } from './weaker-rule.ts';

/** Which orders of members wait for an approval. */
export interface ApprovalRule {
  /** `mem_…`: of this member; null: of all members without an own rule. */
  member_id: string | null;
  /** Whole cents; 0: all orders wait. */
  above: number;
  /** How many persons must approve: one or two. */
  approvals: number;
  /** `mem_…` of those who decide; empty: all members whose roles allow it. */
  approvers: string[];
}

/** A weaker rule of two approvals that waits until another person confirms it by saving the same. */
export interface AskedRule extends Omit<ApprovalRule, 'above'> {
  /** Null: the rule ends. */
  above: number | null;
  /** The address. */
  asked_by: string;
  asked_at: Date;
}

/** The organization's rule first, and what is asked for. @param organizationId UUID */
export async function listApprovalRules(
  deps: Pick<Deps, 'clock' | 'database'>,
  organizationId: string,
): Promise<{ data: ApprovalRule[]; asked: AskedRule[] }> {
  const present = <Above>(row: {
    holder_id: string;
    above_cents: Above;
    approvals: number;
    approver_ids: string[];
  }) => ({
    member_id: row.holder_id === organizationId ? null : encodeId('mem', row.holder_id),
    above: row.above_cents,
    approvals: row.approvals,
    approvers: row.approver_ids.map((id) => encodeId('mem', id)),
  });
  const [rules, changes] = await Promise.all([
    queries.selectRules(deps.database.read, [organizationId]),
    findRuleChanges(deps.database.read, deps, organizationId),
  ]);
  return {
    data: rules.map(present),
    asked: changes.map(({ asked_by, asked_at, ...row }) => ({ ...present(row), asked_by, asked_at })),
  };
}

interface RuleChange extends Omit<ApprovalRule, 'above'> {
  /** UUID. */
  organizationId: string;
  /** Whole cents; null: no rule. */
  above: number | null;
  actor: Actor;
}

/**
 * Sets or removes a rule, and emails all admins. When this returns, no order is placed that the rule holds back, except one that
 * is approved. A weaker rule of two approvals waits until a second person saves the same within a week; saving the present
 * rule takes that back.
 *
 * @throws OperatorError if the member does not exist, or too few could approve
 */
export const setApprovalRule = (
  deps: RuleDeps,
  { organizationId, above, approvals, actor, ...input }: RuleChange,
): Promise<void> =>
  inOrganization(
    deps.database,
    organizationId,
    async (client) => {
      await lockOrganization(client, organizationId);
      const members = await queries.selectApprovers(client, [organizationId]);
      const find = (id: string) => {
        const found = members.find(({ member_id }) => member_id === decodeId('mem', id));
        if (found === undefined) throw new OperatorError(`There is no active member ${id}.`);
        return found;
      };
      const holder = input.member_id === null ? undefined : find(input.member_id);
      const approvers = [...new Set(input.approvers)].map(find);
      const holderId = holder?.member_id ?? organizationId;
      const wanted = { above_cents: above, approvals, approver_ids: approvers.map(({ member_id }) => member_id) };
      if (above !== null) requireEnough({ members, approvers, approvals, holderId });
      const outcome = await save(client, deps, { organizationId, holderId, wanted, actor });
      if (outcome === 'unchanged') return;
      await recordEvent(client, deps, actor, {
        organizationId,
        ...(input.member_id === null ? {} : { target: input.member_id }),
        action: outcome === 'asked' ? 'approval_rule.asked' : 'approval_rule.set',
        details: {
          of: holder?.email ?? null,
          above_cents: above,
          approvals,
          approvers: approvers.map(({ email }) => email),
        },
      });
      await alertAdmins(client, deps, {
        organization: { organization_id: organizationId },
        change: outcome === 'asked' ? 'approval_rule_asked' : 'approval_rule_changed',
        about: holder?.email ?? 'all members',
        actor,
      });
      if (outcome === 'set') await letMembersSee(client, deps, organizationId);
    },
    { lockWaitMs: LOCK_TIMEOUT_MS },
  );

type RuleDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>;

/** @returns `asked`: another person must confirm it */
async function save(
  client: PoolClient,
  deps: RuleDeps,
  change: Parameters<typeof confirm>[2],
): Promise<'unchanged' | 'asked' | 'set'> {
  const { organizationId, holderId, wanted } = change;
  const { above_cents, approvals, approver_ids } = wanted;
  const after = above_cents === null ? undefined : { above_cents, approvals, approver_ids };
  const [before] = await queries.selectRule(client, [organizationId, holderId]);
  const isSame =
    after === undefined ? before === undefined : isDeepStrictEqual(before, { holder_id: holderId, ...after });
  if (!isSame) {
    // A member's own rule takes the place of the organization's.
    const [general] =
      holderId === organizationId ? [] : await queries.selectRule(client, [organizationId, organizationId]);
    if (isWeaker(before ?? general, after ?? general)) {
      const outcome = await confirm(client, deps, change);
      if (outcome !== 'confirmed') return outcome === 'asked' ? 'asked' : 'unchanged';
    }
  }
  await queries.deleteRuleChange(client, [organizationId, holderId]);
  if (isSame) return 'unchanged';
  if (after === undefined) await queries.deleteRule(client, [organizationId, holderId]);
  else await queries.upsertRule(client, [organizationId, holderId, after.above_cents, approvals, approver_ids]);
  return 'set';
}

type Approver = { member_id: string; email: string; may_approve: boolean };

/** What a rule asks for must be possible. @throws OperatorError */
function requireEnough({
  members,
  approvers,
  approvals,
  holderId,
}: {
  members: readonly Approver[];
  approvers: readonly Approver[];
  approvals: number;
  holderId: string;
}): void {
  const without = approvers.find(({ may_approve }) => !may_approve);
  if (without !== undefined)
    throw new OperatorError(`The role of ${without.email} does not include deciding requests for gifts.`);
  const able = (approvers.length === 0 ? members.filter(({ may_approve }) => may_approve) : approvers).filter(
    ({ member_id }) => member_id !== holderId,
  );
  if (able.length < approvals)
    throw new OperatorError(
      `${able.length === 1 ? 'Only one person' : 'No one'} could approve that. Name more people, or give more members a role that decides requests.`,
    );
}

/** An order that began before sees the change, because the balance has a new id. */
async function letMembersSee(client: PoolClient, deps: Pick<Deps, 'ids'>, organizationId: string): Promise<void> {
  for (const { environment } of await queries.selectEnvironments(client, [organizationId])) {
    const { lastId } = await waitForOrders(client, { organizationId, environment });
    await letOrdersSee(client, deps, { organizationId, environment }, lastId);
  }
}
