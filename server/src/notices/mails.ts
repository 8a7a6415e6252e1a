import type { Environment } from '../base/environment.ts';
import { formatAmount } from '../base/format-money.ts';
import type { Deps } from '../deps.ts';
import { plainName, shorten } from '../messaging/plain-name.ts';
import type { Mail } from './mail.ts';
import { mailText, trusted } from './mail-text.ts';
import type { KeyNoticeDetails, Notice, NoticeKind } from './notice.ts';

type MailDeps = Pick<Deps, 'config' | 'publicUrl' | 'seal'>;
type DetailsOf<Kind extends NoticeKind> = Extract<Notice, { kind: Kind }>['details'];
type MailMakers = { [Kind in NoticeKind]: (deps: MailDeps, details: DetailsOf<Kind>) => Mail | undefined };

const LONGEST_NAME_IN_SUBJECT = 80;
const inSubject = (name: string) => shorten(plainName(name), LONGEST_NAME_IN_SUBJECT);
const ENVIRONMENTS = { live: 'Live', sandbox: 'Sandbox' } as const satisfies Record<Environment, string>;
const ROLES = {
  admin: { words: 'an admin', rights: 'In the portal you can view and change its gifts, balance and API keys.' },
  member: { words: 'a member', rights: 'In the portal you can view its gifts, balance and API keys.' },
} as const;
const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const portal = ({ publicUrl }: MailDeps) => `${publicUrl()}/portal`;

const makers: MailMakers = {
  sign_in_code({ seal }, { sealed_code, expires_minutes }) {
    const code = seal.open(sealed_code);
    if (code === undefined) return undefined;
    const howLong = trusted(`It works once, within ${expires_minutes} minutes.`);
    return {
      subject: 'Your sign-in code for Bestow',
      preheader: howLong.text,
      title: mailText`Your sign-in code`,
      lead: mailText`Enter it on the sign-in page. ${howLong}`,
      code,
      notes: {
        title: 'Do not share this code',
        points: [
          mailText`Anyone with this code can sign in as you. Bestow never asks for it.`,
          mailText`If you did not request a code, ignore this email. No one can sign in without the code.`,
        ],
      },
      reason: mailText`You got this email because someone tried to sign in to Bestow with your address.`,
    };
  },

  member_invited(deps, { organization_name, role, by }) {
    const { words, rights } = ROLES[role];
    return {
      subject: `You are ${words} of ${inSubject(organization_name)} on Bestow`,
      preheader: rights,
      title: mailText`Welcome to ${organization_name}`,
      lead: mailText`You are now ${trusted(words)} of ${organization_name} on Bestow. ${trusted(rights)}`,
      action: { label: 'Open the portal', link: portal(deps) },
      notes: {
        title: 'How to sign in',
        points: [
          mailText`Enter this email address and we’ll email you a code. There is no password.`,
          mailText`If you did not expect this invitation, ignore this email. Nothing happens until you sign in.`,
        ],
      },
      reason: mailText`You got this email because ${by} added your address to ${organization_name}.`,
    };
  },

  key_created: (deps, details) => ({
    ...keyMail(deps, details, 'created'),
    notes: {
      title: 'If none of you did this',
      points: [
        mailText`Revoke the key in the portal immediately. It stops working with the next request.`,
        mailText`Then check the audit log for other changes.`,
      ],
    },
  }),

  key_revoked: (deps, details) => ({
    ...keyMail(deps, details, 'revoked'),
    notes: {
      title: 'If none of you did this',
      points: [
        mailText`Programs that use this key are now refused. You cannot restore a key: create a new one in the portal.`,
        mailText`Then check the audit log for other changes.`,
      ],
    },
  }),

  balance_low(deps, { organization_name, environment, balance_cents, threshold_cents }) {
    const balance = formatAmount(balance_cents, deps.config.currency);
    const threshold = formatAmount(threshold_cents, deps.config.currency);
    return {
      subject: `The balance of ${inSubject(organization_name)} is low`,
      preheader: `${balance} left.`,
      title: mailText`The balance is low`,
      lead: mailText`The ${trusted(environment)} balance of ${organization_name} has fallen below ${trusted(threshold)}.`,
      figure: { amount: balance, words: 'left' },
      action: { label: 'Open the portal', link: portal(deps) },
      notes: {
        title: 'What happens now',
        points: [
          mailText`You can order gifts as long as the balance covers them. An order that costs more is declined, and nothing is charged.`,
          mailText`We send this alert once. The next one can follow after the balance was back at ${trusted(threshold)} or more.`,
        ],
      },
      reason: mailText`You got this email because you are an admin or the billing contact of ${organization_name}. You can change the alert in the portal.`,
    };
  },
};

function keyMail(deps: MailDeps, details: KeyNoticeDetails, change: 'created' | 'revoked'): Omit<Mail, 'notes'> {
  const { organization_name, key_name, key_hint, environment, by, from, at } = details;
  return {
    subject: `An API key of ${inSubject(organization_name)} was ${change}`,
    preheader: `${plainName(key_name)}, by ${plainName(by)}`,
    title: change === 'created' ? mailText`An API key was created` : mailText`An API key was revoked`,
    lead:
      change === 'created'
        ? mailText`Anyone with this key can order gifts for ${organization_name}.`
        : mailText`This key can no longer be used to order gifts for ${organization_name}.`,
    facts: [
      ['Key', mailText`${key_name}`],
      ['Value', mailText`${key_hint}`],
      ['Environment', trusted(ENVIRONMENTS[environment])],
      ['By', mailText`${by}`],
      ['From', mailText`${from}`],
      ['Time', trusted(`${dateFormat.format(new Date(at))} UTC`)],
    ],
    action: { label: 'Open the portal', link: portal(deps) },
    reason: mailText`You got this email because you are an admin of ${organization_name}.`,
  };
}

/** Returns the content of a notice, or undefined if its code can no longer be unsealed. */
export function mailOf(deps: MailDeps, notice: Notice): Mail | undefined {
  const make = makers[notice.kind] as (deps: MailDeps, details: Notice['details']) => Mail | undefined;
  return make(deps, notice.details);
}
