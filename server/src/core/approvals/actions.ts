import { type RecordEvent, recordAction, type Sentences } from '../../platform/audit/record-event.ts';

/** What is recorded of rules of approval. */
interface ApprovalActions {
  'approval_rule.set': ApprovalRule;
  /** A weaker rule of two, until another person confirms it. */
  'approval_rule.asked': ApprovalRule;
}

/** Which orders wait for an approval. */
interface ApprovalRule {
  /** The member’s address; null: of all members without an own rule. */
  of: string | null;
  /** Null: none wait. */
  above_cents: number | null;
  approvals: number;
  /** Addresses; none: all members whose roles allow it. */
  approvers: string[];
}

function approvalRuleText({ of, above_cents, approvals, approvers }: ApprovalRule, money: (cents: number) => string) {
  const whose = of === null ? 'orders of members' : `orders of ${of}`;
  if (above_cents === null) return `Removed the approval rule for ${whose}`;
  const which = above_cents === 0 ? 'all ' : '';
  const above = above_cents === 0 ? '' : ` above ${money(above_cents)}`;
  const by = approvers.length === 0 ? '' : ` by ${approvers.join(', ')}`;
  return `Required ${approvals === 1 ? 'an approval' : `${approvals} approvals`}${by} for ${which}${whose}${above}`;
}

export const approvalSentences: Sentences<ApprovalActions> = {
  'approval_rule.set': approvalRuleText,
  'approval_rule.asked': (rule, money) => `Asked another person to confirm this: ${approvalRuleText(rule, money)}`,
};

export const recordEvent: RecordEvent<ApprovalActions> = recordAction;
