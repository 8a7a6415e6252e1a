import { formatAmount } from 'bestow-readers/format-amount.ts';
import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { ENVIRONMENTS, inSubject, portal } from './mail-parts.ts';
import { mailText, trusted } from './mail-text.ts';
import type { Notice } from './notice.ts';

type DetailsOf<Kind extends Notice['kind']> = Extract<Notice, { kind: Kind }>['details'];
type MailDeps = Pick<Deps, 'config' | 'publicUrl'>;
type About = DetailsOf<'gift_requested'>;

const factsOf = ({ config }: MailDeps, { amount_cents, environment }: About) =>
  [
    ['Amount', trusted(formatAmount(amount_cents, config.currency))],
    ['Environment', trusted(ENVIRONMENTS[environment])],
  ] as const;

const linkOf = (deps: MailDeps, { organization_id, environment, request_id }: About) => ({
  label: 'Open the portal',
  link: `${portal(deps)}/${organization_id}/${environment}/gifts/requests/${request_id}`,
});

/** What a member or an agent asks for, for those who decide. */
export function requestedMail(deps: MailDeps, details: DetailsOf<'gift_requested'>): Mail {
  const { organization_name, by, gifts, is_agent } = details;
  const title = `${gifts === undefined ? 'A gift' : 'An order'} waits for your approval`;
  const what = gifts === undefined ? 'asks for a gift' : `asks to order ${gifts === 1 ? 'one gift' : `${gifts} gifts`}`;
  return {
    subject: `${title}: ${inSubject(organization_name)}`,
    preheader: 'Nothing is bought until it is approved.',
    title: trusted(title),
    lead: mailText`${trusted(is_agent ? 'The agent ' : '')}${by} ${trusted(what)} of ${organization_name}. Nothing is bought until it is approved.`,
    facts: [...factsOf(deps, details), ['By', mailText`${by}`]],
    action: linkOf(deps, details),
    notes: {
      title: 'What you can do',
      points: [mailText`Approve or decline it in the portal. It expires after 30 days.`],
    },
    reason: mailText`You got this email because you decide requests for gifts of ${organization_name}.`,
  };
}

const outcomes = {
  approved: { title: 'Your gift was approved', lead: 'was approved and bought' },
  declined: { title: 'Your gift was declined', lead: 'was declined. Nothing was bought' },
  withdrawn: { title: 'Your request was withdrawn', lead: 'is not wanted any more. Nothing was bought' },
} as const;

/** What an admin decided, for the member who asked. */
export function decidedMail(deps: MailDeps, details: DetailsOf<'gift_request_decided'>): Mail {
  const { organization_name, state, reason, by } = details;
  const { title, lead } = outcomes[state];
  return {
    subject: `${title}: ${inSubject(organization_name)}`,
    preheader: state === 'approved' ? 'It is bought.' : 'Nothing was bought.',
    title: trusted(title),
    lead: mailText`The gift of ${organization_name} that you asked for ${trusted(lead)}.`,
    facts: [
      ...factsOf(deps, details),
      ['By', mailText`${by}`],
      ...(reason === null ? [] : [['Reason', mailText`${reason}`] as const]),
    ],
    action: linkOf(deps, details),
    notes: {
      title: 'What you can do',
      points: [
        state === 'approved'
          ? mailText`The request in the portal leads to its order and its gift.`
          : mailText`You can ask for another gift in the portal.`,
      ],
    },
    reason: mailText`You got this email because you asked for this gift.`,
  };
}
