import { isDeepStrictEqual } from 'node:util';
import type { PoolClient } from 'pg';
import { waitForOrders } from '../../core/balances/wait-for-orders.ts';
import { letOrdersSee } from '../../core/caps/change-caps.ts';
import type { Deps } from '../../core/deps.ts';
import { lockOrganization } from '../../core/organizations/lock-organization.ts';
import { recordEvent } from '../../platform/audit/record-event.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import * as queries from './rule-queries.ts';

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

/** The organization's rule first. @param organizationId UUID */
export async function listApprovalRules(
  { database }: Pick<Deps, 'database'>,
  organizationId: string,
): Promise<ApprovalRule[]> {
  const rows = await queries.selectRules(database.read, [organizationId]);
  return rows.map(({ holder_id, above_cents, approvals, approver_ids }) => ({
    member_id: holder_id === organizationId ? null : encodeId('mem', holder_id),
    above: above_cents,
    approvals,
    approvers: approver_ids.map((id) => encodeId('mem', id)),
  }));
}

interface RuleChange extends Omit<ApprovalRule, 'above'> {
  /** UUID. */
  organizationId: string;
  /** Whole cents; null: no rule. */
  above: number | null;
  actor: Actor;
}

/**
 * Sets or removes a rule. When this returns, no order is placed that the rule holds back, except one that is approved.
 *
 * @throws OperatorError if the member does not exist, or too few could approve
 */
export const setApprovalRule = (
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
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
      const rule = { above_cents: above ?? 0, approvals, approver_ids: approvers.map(({ member_id }) => member_id) };
      const [before] = await queries.selectRule(client, [organizationId, holderId]);
      if (above === null ? before === undefined : isDeepStrictEqual(before, { holder_id: holderId, ...rule })) return;
      if (above === null) await queries.deleteRule(client, [organizationId, holderId]);
      else {
        requireEnough({ members, approvers, approvals, holderId });
        await queries.upsertRule(client, [organizationId, holderId, above, approvals, rule.approver_ids]);
      }
      await recordEvent(client, deps, actor, {
        organizationId,
        ...(input.member_id === null ? {} : { target: input.member_id }),
        action: 'approval_rule.set',
        details: {
          of: holder?.email ?? null,
          above_cents: above,
          approvals,
          approvers: approvers.map(({ email }) => email),
        },
      });
      await letMembersSee(client, deps, organizationId);
    },
    { lockWaitMs: LOCK_TIMEOUT_MS },
  );

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
