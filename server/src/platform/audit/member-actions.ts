import { isBuiltInRole, type RoleId, roles } from '../authentication/roles.ts';
import type { Nothing } from './details.ts';
import { limitsText } from './limits-text.ts';

/** What is recorded of members: their roles, teams and limits. */
export interface MemberDetails {
  'billing_contact.set': { email: string };
  'member.added': { email: string; role: RoleId; role_name?: string };
  'member.invited': { email: string; role: RoleId; role_name?: string };
  'invitation.accepted': Nothing;
  'invitation.declined': Nothing;
  'invitation.withdrawn': { email: string };
  'invitation.resent': { email: string };
  'member.deactivated': { email: string };
  'member.activated': { email: string };
  'member.role_changed': { email: string; role: RoleId; role_name?: string };
  'member.sign_in_reset': { email: string };
  'role.created': { name: string; permissions: string[] };
  'role.changed': { name: string; permissions: string[] };
  'role.removed': { name: string };
  'team.created': { name: string };
  'team.renamed': { name: string; before: string };
  'team.removed': { name: string };
  /** Null: in no team. */
  'member.team_set': { email: string; team: string | null };
  /** `of`: the member’s address, or the team’s name. */
  'limits.set': { of: string; day_cents: number | null; month_cents: number | null; recipient_cents: number | null };
  'approval_rule.set': ApprovalRule;
  /** A weaker rule of two, until another person confirms it. */
  'approval_rule.asked': ApprovalRule;
  'second_factor_policy.set': { is_required: boolean };
  'member.erased': Nothing;
}

type Sentences = {
  [Name in keyof MemberDetails]: (details: MemberDetails[Name], money: (cents: number) => string) => string;
};

/** `an admin`, or an own role by its name. */
const asRole = ({ role, role_name: name }: { role: RoleId; role_name?: string }) =>
  isBuiltInRole(role) ? roles[role].words : `“${name ?? role}”`;

export const memberSentences: Sentences = {
  'billing_contact.set': ({ email }) => `Made ${email} the billing contact`,
  'member.added': ({ email, ...as }) => `Added ${email} as ${asRole(as)}`,
  'member.invited': ({ email, ...as }) => `Invited ${email} as ${asRole(as)}`,
  'invitation.accepted': () => 'Accepted the invitation',
  'invitation.declined': () => 'Declined the invitation',
  'invitation.withdrawn': ({ email }) => `Withdrew the invitation of ${email}`,
  'invitation.resent': ({ email }) => `Invited ${email} once more`,
  'member.deactivated': ({ email }) => `Deactivated ${email}`,
  'member.activated': ({ email }) => `Activated ${email} again`,
  'member.role_changed': ({ email, ...as }) => `Made ${email} ${asRole(as)}`,
  'role.created': ({ name, permissions }) => `Created the role “${name}”: ${permissions.join(', ')}`,
  'role.changed': ({ name, permissions }) => `Changed the role “${name}”: ${permissions.join(', ')}`,
  'role.removed': ({ name }) => `Removed the role “${name}”`,
  'team.created': ({ name }) => `Created the team “${name}”`,
  'team.renamed': ({ name, before }) => `Renamed the team “${before}” to “${name}”`,
  'team.removed': ({ name }) => `Removed the team “${name}”`,
  'member.team_set': ({ email, team }) =>
    team === null ? `Took ${email} out of their team` : `Put ${email} into the team “${team}”`,
  'limits.set': ({ of, day_cents: day, month_cents: month, recipient_cents: recipient }, money) =>
    `Set the limits of ${of}: ${limitsText({ recipient, day, month }, money)}`,
  'approval_rule.set': approvalRuleText,
  'approval_rule.asked': (rule, money) => `Asked another person to confirm this: ${approvalRuleText(rule, money)}`,
  'member.sign_in_reset': ({ email }) => `Reset the sign-in of ${email}`,
  'second_factor_policy.set': ({ is_required }) =>
    is_required ? 'Required a second factor of every admin' : 'Made the second factor optional for admins',
  'member.erased': () => 'Erased the address of a member',
};

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
