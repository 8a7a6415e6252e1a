import { includes } from '../../platform/authentication/role-sql.ts';
import { statement } from '../../platform/database/statement.ts';

interface RuleRow {
  /** UUID of the organization, or of a member. */
  holder_id: string;
  above_cents: number;
  approvals: number;
  approver_ids: string[];
}

const columns = 'holder_id, above_cents, approvals, approver_ids';

export const selectRules = statement<[organizationId: string], RuleRow>(
  'approval_rules.list',
  `select ${columns} from approval_rules where organization_id = $1 order by holder_id <> organization_id, holder_id`,
);

export const selectRule = statement<[organizationId: string, holderId: string], RuleRow>(
  'approval_rules.select',
  `select ${columns} from approval_rules where organization_id = $1 and holder_id = $2`,
);

export const upsertRule = statement<
  [organizationId: string, holderId: string, aboveCents: number, approvals: number, approverIds: readonly string[]]
>(
  'approval_rules.upsert',
  `insert into approval_rules (organization_id, holder_id, above_cents, approvals, approver_ids)
   values ($1, $2, $3, $4, $5)
   on conflict (organization_id, holder_id) do update set
     above_cents = excluded.above_cents, approvals = excluded.approvals, approver_ids = excluded.approver_ids`,
);

export const deleteRule = statement<[organizationId: string, holderId: string]>(
  'approval_rules.delete',
  'delete from approval_rules where organization_id = $1 and holder_id = $2',
);

/** The active members, and whether each may approve. */
export const selectApprovers = statement<
  [organizationId: string],
  { member_id: string; email: string; may_approve: boolean }
>(
  'approval_rules.select_approvers',
  `select m.member_id, m.email, ${includes('m', 'approve')} as may_approve
   from members m where m.organization_id = $1 and m.deactivated_at is null`,
);

export const selectEnvironments = statement<[organizationId: string], { environment: 'live' | 'sandbox' }>(
  'approval_rules.select_environments',
  'select environment from balances where organization_id = $1 order by environment',
);

/** A weaker rule of two that waits for a second person. */
interface RuleChangeRow extends Omit<RuleRow, 'above_cents'> {
  /** Null: the rule ends. */
  above_cents: number | null;
  /** The address. */
  asked_by: string;
  asked_at: Date;
}

/** Those that were asked for after a time. */
export const selectRuleChanges = statement<[organizationId: string, askedAfter: Date], RuleChangeRow>(
  'approval_rule_changes.list',
  `select ${columns}, asked_by, asked_at from approval_rule_changes
   where organization_id = $1 and asked_at > $2 order by holder_id <> organization_id, holder_id`,
);

export const upsertRuleChange = statement<
  [
    organizationId: string,
    holderId: string,
    aboveCents: number | null,
    approvals: number,
    approverIds: readonly string[],
    askedBy: string,
    askedAt: Date,
  ]
>(
  'approval_rule_changes.upsert',
  `insert into approval_rule_changes (organization_id, holder_id, above_cents, approvals, approver_ids, asked_by, asked_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (organization_id, holder_id) do update set
     above_cents = excluded.above_cents, approvals = excluded.approvals, approver_ids = excluded.approver_ids,
     asked_by = excluded.asked_by, asked_at = excluded.asked_at`,
);

export const deleteRuleChange = statement<[organizationId: string, holderId: string]>(
  'approval_rule_changes.delete',
  'delete from approval_rule_changes where organization_id = $1 and holder_id = $2',
);
