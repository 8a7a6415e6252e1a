import type { Nothing } from '../../platform/audit/details.ts';
import { type RecordEvent, recordAction, type Sentences, type TakenAction } from '../../platform/audit/record-event.ts';
import { isBuiltInRole, type RoleId, roles } from '../../platform/authentication/roles.ts';

/** What is recorded of organizations and their members: their roles and teams. */
interface OrganizationActions {
  'organization.created': { name: string; admin_email: string };
  'organization.renamed': { name: string; before: string };
  'organization.suspended': Nothing;
  'organization.reinstated': Nothing;
  'program.set': {
    program: 'award' | 'sold';
    unclaimed_after_days: number | null;
    reminder_days: number[];
    messages_show_value?: boolean;
    language?: string | undefined;
  };
  'gift_request_policy.set': { is_allowed: boolean };
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
  'second_factor_policy.set': { is_required: boolean };
  'member.erased': Nothing;
  'gifts.held': Nothing;
  'gifts.released': Nothing;
}

/** `an admin`, or an own role by its name. */
const asRole = ({ role, role_name: name }: { role: RoleId; role_name?: string }) =>
  isBuiltInRole(role) ? roles[role].words : `“${name ?? role}”`;

export const organizationSentences: Sentences<OrganizationActions> = {
  'organization.created': ({ name, admin_email }) =>
    `Created the organization “${name}” with ${admin_email} as its admin`,
  'organization.renamed': ({ name, before }) => `Renamed the organization from “${before}” to “${name}”`,
  'organization.suspended': () => 'Suspended the organization',
  'organization.reinstated': () => 'Ended the organization’s suspension',
  'program.set': ({ program, unclaimed_after_days, reminder_days, messages_show_value, language }) =>
    `Set that gifts of later orders (program “${program}”) ${unclaimed_after_days === null ? 'do not expire' : `expire after ${unclaimed_after_days} days`}, with ${reminder_days.length === 0 ? 'no reminders' : `reminders after ${reminder_days.join(', ')} days`}${messages_show_value ? ', and messages that show the value' : ''}${language === undefined ? '' : `, in the language ${language}`}`,
  'gift_request_policy.set': ({ is_allowed }) =>
    is_allowed ? 'Let members ask for gifts' : 'Ended that members may ask for gifts',
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
  'member.sign_in_reset': ({ email }) => `Reset the sign-in of ${email}`,
  'role.created': ({ name, permissions }) => `Created the role “${name}”: ${permissions.join(', ')}`,
  'role.changed': ({ name, permissions }) => `Changed the role “${name}”: ${permissions.join(', ')}`,
  'role.removed': ({ name }) => `Removed the role “${name}”`,
  'team.created': ({ name }) => `Created the team “${name}”`,
  'team.renamed': ({ name, before }) => `Renamed the team “${before}” to “${name}”`,
  'team.removed': ({ name }) => `Removed the team “${name}”`,
  'member.team_set': ({ email, team }) =>
    team === null ? `Took ${email} out of their team` : `Put ${email} into the team “${team}”`,
  'second_factor_policy.set': ({ is_required }) =>
    is_required ? 'Required a second factor of every admin' : 'Made the second factor optional for admins',
  'member.erased': () => 'Erased the address of a member',
  'gifts.held': () => 'Put all unclaimed gifts on hold',
  'gifts.released': () => 'Ended the hold of all unclaimed gifts',
};

export const recordEvent: RecordEvent<OrganizationActions> = recordAction;

export type TakenOrganizationAction = TakenAction<OrganizationActions>;
