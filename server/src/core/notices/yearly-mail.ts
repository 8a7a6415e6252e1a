import { formatAmount } from 'bestow-readers/format-amount.ts';
import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { ENVIRONMENTS, inSubject, portal } from './mail-parts.ts';
import { type MailText, mailText, trusted } from './mail-text.ts';
import type { Notice } from './notice.ts';

type DetailsOf<Kind extends Notice['kind']> = Extract<Notice, { kind: Kind }>['details'];
type MailDeps = Pick<Deps, 'config' | 'publicUrl'>;
type About = DetailsOf<'yearly_gifts_waiting'>;

const giftsText = (count: number) => `${count} yearly gift${count === 1 ? '' : 's'}`;

const factsOf = ({ rule, environment }: Pick<About, 'rule' | 'environment'>) =>
  [
    ['Rule', mailText`${rule}`],
    ['Environment', trusted(ENVIRONMENTS[environment])],
  ] as const;

const linkOf = (deps: MailDeps, { organization_id, environment }: Pick<About, 'organization_id' | 'environment'>) => ({
  label: 'Open the portal',
  link: `${portal(deps)}/${organization_id}/${environment}/calendar`,
});

const reasonOf = (name: string) =>
  mailText`You got this email because you are an admin of ${name}, or saved this rule.`;

/** What comes, a week before, for the admins. */
export function comingMail(deps: MailDeps, details: DetailsOf<'yearly_gifts_coming'>): Mail {
  const { organization_name, gifts, amount_cents, mode } = details;
  const count = giftsText(gifts);
  const [come, them] = gifts === 1 ? ['comes', 'it'] : ['come', 'them'];
  return {
    subject: `${count} of ${inSubject(organization_name)} ${come} within a week`,
    preheader: mode === 'sends' ? 'You can skip each in the calendar.' : 'Each waits for your approval.',
    title: trusted(`${count} ${come} within a week`),
    lead:
      mode === 'sends'
        ? mailText`${organization_name} sends ${trusted(them)} on the day, if the balance and the rule’s limit cover ${trusted(them)}.`
        : mailText`Nothing of ${organization_name} is bought until an admin approves ${trusted(them)}. An approved gift is sent on its day.`,
    facts: [
      ...factsOf(details),
      ['Gifts', trusted(`${gifts}`)],
      ['Amount', trusted(formatAmount(amount_cents, deps.config.currency))],
    ],
    action: linkOf(deps, details),
    notes: {
      title: 'What you can do',
      points: [
        mode === 'sends'
          ? mailText`Skip a gift in the calendar until its day, or pause the rule.`
          : mailText`Approve or decline each under Approvals. A request expires after 30 days.`,
      ],
    },
    reason: reasonOf(organization_name),
  };
}

const CAP = mailText`A spending cap does not allow the gifts. Raise it, or they are sent once it allows them.`;

/** What a person can do about each reason. */
const remedies: Readonly<Record<string, MailText>> = {
  insufficient_balance: mailText`The balance does not cover the gifts. Add funds, and they are sent.`,
  organization_cap_reached: CAP,
  member_cap_reached: CAP,
  team_cap_reached: CAP,
  recipient_cap_reached: CAP,
  yearly_limit: mailText`The rule has spent what it may spend this year. Raise its limit, and the gifts are sent.`,
  admin_required: mailText`The admin who saved the rule is no longer an admin. Another admin can save it again.`,
  gifts_on_hold: mailText`All gifts of the organization are on hold. Release them, and the gifts are sent.`,
  mark_without_word: mailText`The message has a mark, such as {name}, for which the contact has nothing. Complete the contact or change the template, and the gifts are sent.`,
  message_too_long: mailText`With its marks filled, the message is longer than 500 characters. Shorten it in the template, and the gifts are sent.`,
  organization_suspended: mailText`The organization is suspended. Ask the operator of the service.`,
};
const OTHER = mailText`The gifts were refused. The calendar shows each with its reason.`;

/** What could not be sent, for the admins. */
export function waitingMail(deps: MailDeps, details: About): Mail {
  const { organization_name, gifts, reason } = details;
  const title = `${giftsText(gifts)} ${gifts === 1 ? 'waits' : 'wait'}`;
  const remedy = remedies[reason] ?? OTHER;
  return {
    subject: `${title}: ${inSubject(organization_name)}`,
    preheader: remedy.text,
    title: trusted(title),
    lead: mailText`${organization_name} could not send ${trusted(gifts === 1 ? 'it' : 'them')} today. ${remedy}`,
    facts: factsOf(details),
    action: linkOf(deps, details),
    notes: {
      title: 'What happens now',
      points: [
        mailText`We try again every ten minutes for seven days after the day. After that, nothing is sent this year.`,
      ],
    },
    reason: reasonOf(organization_name),
  };
}
