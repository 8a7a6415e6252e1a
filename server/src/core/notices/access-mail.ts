import { plainName } from '../../platform/messaging/plain-name.ts';
import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { inSubject, portal, timeText } from './mail-parts.ts';
import { type MailText, mailText, trusted } from './mail-text.ts';
import type { AccessChange, AccessNoticeDetails } from './notice.ts';

/** What each change means, after its subject. */
const accessChanges: Record<AccessChange, { subject: string; meaning: (about: string, name: string) => MailText }> = {
  admin_invited: {
    subject: 'A new admin was invited',
    meaning: (about, name) => mailText`${about} was invited to be an admin of ${name}.`,
  },
  admin_added: {
    subject: 'A new admin was added',
    meaning: (about, name) => mailText`${about} is now an admin of ${name}.`,
  },
  role_admin: {
    subject: 'A member is now an admin',
    meaning: (about, name) => mailText`${about} is now an admin of ${name}.`,
  },
  role_member: {
    subject: 'A member has another role',
    meaning: (about, name) => mailText`${about} is now a member of ${name}, who sees everything and changes nothing.`,
  },
  role_changed: {
    subject: 'A member has another role',
    meaning: (about, name) => mailText`${about} has another role in ${name}. The portal shows it under Members.`,
  },
  member_activated: {
    subject: 'A member was activated again',
    meaning: (about, name) => mailText`${about} has access to ${name} again.`,
  },
  second_factor_required: {
    subject: 'Admins now need a second factor',
    meaning: (_about, name) =>
      mailText`Admins of ${name} can change something only after signing in with a passkey or an authenticator app.`,
  },
  second_factor_optional: {
    subject: 'Admins no longer need a second factor',
    meaning: (_about, name) => mailText`Admins of ${name} can make changes without a second factor.`,
  },
  device_added: {
    subject: 'An admin signed in on a new device',
    meaning: (about, name) => mailText`${about}, an admin of ${name}, signed in on a device that was not used before.`,
  },
  sign_in_added: {
    subject: 'An admin has a new way to sign in',
    meaning: (about, name) => mailText`${about}, an admin of ${name}, added a passkey or an authenticator app.`,
  },
  sign_in_reset: {
    subject: 'The sign-in of an admin was reset',
    meaning: (about, name) => mailText`${about}, an admin of ${name}, can sign in again with only a code by email.`,
  },
  balance_requested: {
    subject: 'A change of the balance waits for approval',
    meaning: (about, name) =>
      mailText`A change of ${about} to the balance of ${name} waits until an admin or another operator approves it.`,
  },
  grant_created: {
    subject: 'An agent was granted access',
    meaning: (about, name) =>
      mailText`The agent ${about} can now use the gifts of ${name}, within what its grant includes. The portal shows it under Agents.`,
  },
  grant_token_replaced: {
    subject: 'The token of an agent was replaced',
    meaning: (about, name) =>
      mailText`The agent ${about} of ${name} has another token. Earlier ones stop working soon.`,
  },
  grant_limits_raised: {
    subject: 'A limit of an agent was raised',
    meaning: (about, name) => mailText`The agent ${about} may now order more gifts of ${name} than before.`,
  },
  grant_used_twice: {
    subject: 'An agent was signed out',
    meaning: (about, name) =>
      mailText`The sign-in of the agent ${about} of ${name} was used twice, so someone else may have a copy of it. Its grant has ended. Look at its orders, and connect it again if all is right.`,
  },
  approval_rule_changed: {
    subject: 'A rule of approval was changed',
    meaning: (about, name) =>
      mailText`Which orders of ${name} wait for an approval has changed, for ${about}. The portal shows it in the settings.`,
  },
  approval_rule_asked: {
    subject: 'A weaker rule of approval waits for a second person',
    meaning: (about, name) =>
      mailText`Fewer orders of ${name} would wait for two approvals, for ${about}, once another person who may change settings confirms it in the portal.`,
  },
  limits_raised: {
    subject: 'A limit of a member or a team was raised',
    meaning: (about, name) => mailText`${about} may now send more gifts of ${name} than before.`,
  },
  own_role_changed: {
    subject: 'A role was changed',
    meaning: (about, name) =>
      mailText`The role ${about} of ${name} includes something else than before. The portal shows it under Members.`,
  },
  request_policy_changed: {
    subject: 'Who may ask for gifts was changed',
    meaning: (about, name) => mailText`Members of ${name} ${trusted(about)} ask for gifts.`,
  },
  team_changed: {
    subject: 'A member is in another team',
    meaning: (about, name) =>
      mailText`${about} of ${name} is in another team, or in none. The limits of the team hold for its members.`,
  },
  yearly_rule_changed: {
    subject: 'A rule that sends gifts by itself was changed',
    meaning: (about, name) =>
      mailText`The rule ${about} of ${name}, which sends yearly gifts by itself, was added, changed or deleted. The portal shows it in the calendar.`,
  },
};

/** To every admin, about a change of who may do what. */
export function accessMail(
  deps: Pick<Deps, 'publicUrl'>,
  { organization_name, change, about, by, from, at }: AccessNoticeDetails,
): Mail {
  const { subject, meaning } = accessChanges[change];
  return {
    subject: `${subject}: ${inSubject(organization_name)}`,
    preheader: `By ${plainName(by)}`,
    title: trusted(subject),
    lead: meaning(about, organization_name),
    facts: [
      ['By', mailText`${by}`],
      ['From', mailText`${from}`],
      ['Time', timeText(at)],
    ],
    action: { label: 'Open the portal', link: portal(deps) },
    notes: {
      title: 'If none of you did this',
      points: [
        mailText`Undo it in the portal immediately, and deactivate the member who did it.`,
        mailText`Then check the audit log for other changes, such as new keys.`,
      ],
    },
    reason: mailText`You got this email because you are an admin of ${organization_name}.`,
  };
}
