import { formatAmount } from 'bestow-readers/format-amount.ts';
import { isBuiltInRole, roles } from '../../platform/authentication/roles.ts';
import { plainName } from '../../platform/messaging/plain-name.ts';
import type { Deps } from '../deps.ts';
import { accessMail } from './access-mail.ts';
import { capMail } from './cap-mail.ts';
import { codeMail } from './code-mail.ts';
import { codesMail } from './codes-mail.ts';
import { expiryMail } from './expiry-mail.ts';
import { fundsMail } from './funds-mail.ts';
import { heldMail } from './held-mail.ts';
import type { Mail } from './mail.ts';
import { ENVIRONMENTS, inSubject, portal, timeText } from './mail-parts.ts';
import { mailText, trusted } from './mail-text.ts';
import type { KeyNoticeDetails, Notice, NoticeKind } from './notice.ts';
import { reopenedMail } from './reopened-mail.ts';
import { decidedMail, requestedMail } from './request-mail.ts';
import { topupMail } from './topup-mail.ts';
import { webhookMail } from './webhook-mail.ts';
import { comingMail, waitingMail } from './yearly-mail.ts';

type MailDeps = Pick<Deps, 'config' | 'publicUrl' | 'cipher'>;
type DetailsOf<Kind extends NoticeKind> = Extract<Notice, { kind: Kind }>['details'];
type MailMakers = { [Kind in NoticeKind]: (deps: MailDeps, details: DetailsOf<Kind>) => Mail | undefined };

const makers: MailMakers = {
  sign_in_code({ cipher }, { sealed_code, expires_minutes }) {
    const code = cipher.decrypt(sealed_code);
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

  card_code: (deps, details) => codeMail(deps, details, 'cardCode'),
  card_reopened: (_deps, details) => reopenedMail(details),
  finder_code: (deps, details) => codeMail(deps, details, 'finderCode'),

  member_invited(deps, { organization_name, role, by, must_accept = false }) {
    // An own role may have any name, and says for itself what it includes.
    const { words, says: rights } = roles[isBuiltInRole(role) ? role : 'member'];
    const invited = {
      subject: `You are invited to ${inSubject(organization_name)} on Bestow`,
      title: mailText`You are invited to ${organization_name}`,
      lead: mailText`You can be ${trusted(words)} of ${organization_name} on Bestow. ${trusted(rights)}`,
    };
    return {
      subject: `You are ${words} of ${inSubject(organization_name)} on Bestow`,
      preheader: rights,
      title: mailText`Welcome to ${organization_name}`,
      lead: mailText`You are now ${trusted(words)} of ${organization_name} on Bestow. ${trusted(rights)}`,
      ...(must_accept && invited),
      action: { label: 'Open the portal', link: portal(deps) },
      notes: {
        title: 'How to sign in',
        points: [
          mailText`Enter this email address and we’ll email you a code. There is no password.`,
          mailText`If you did not expect this invitation, ignore this email. Nothing happens until you ${trusted(must_accept ? 'accept it' : 'sign in')}.`,
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

  key_rolled: (deps, details) => ({
    ...keyMail(deps, details, 'replaced'),
    notes: {
      title: 'If none of you did this',
      points: [
        mailText`Revoke both keys in the portal immediately. They stop working with the next request.`,
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

  access_changed: accessMail,
  webhook_failing: webhookMail,
  codes_low: codesMail,
  funds_low: fundsMail,
  gift_held: heldMail,
  gift_requested: requestedMail,
  gift_request_decided: decidedMail,
  topup: topupMail,
  cap_raised: capMail,

  gifts_expire: expiryMail,

  yearly_gifts_coming: comingMail,
  yearly_gifts_waiting: waitingMail,

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

type KeyChange = 'created' | 'revoked' | 'replaced';

const keyTexts: Record<KeyChange, (organization: string) => Pick<Mail, 'title' | 'lead'>> = {
  created: (organization) => ({
    title: mailText`An API key was created`,
    lead: mailText`Anyone with this key can order gifts for ${organization}.`,
  }),
  revoked: (organization) => ({
    title: mailText`An API key was revoked`,
    lead: mailText`This key can no longer be used to order gifts for ${organization}.`,
  }),
  replaced: (organization) => ({
    title: mailText`An API key was replaced`,
    lead: mailText`Anyone with the new key can order gifts for ${organization}. The earlier key stops working soon.`,
  }),
};

function keyMail(deps: MailDeps, details: KeyNoticeDetails, change: KeyChange): Omit<Mail, 'notes'> {
  const { organization_name, key_name, key_hint, environment, by, from, at } = details;
  const { expires_at, networks, replaced_hint, replaced_until } = details;
  return {
    subject: `An API key of ${inSubject(organization_name)} was ${change}`,
    preheader: `${plainName(key_name)}, by ${plainName(by)}`,
    ...keyTexts[change](organization_name),
    facts: [
      ['Key', mailText`${key_name}`],
      ['Value', mailText`${key_hint}`],
      ['Environment', trusted(ENVIRONMENTS[environment])],
      ...(expires_at ? [['Expires', timeText(expires_at)] as const] : []),
      ...(networks ? [['Networks', mailText`${networks.join(', ')}`] as const] : []),
      ...(replaced_hint ? [['Earlier key', mailText`${replaced_hint}`] as const] : []),
      ...(replaced_until ? [['It works until', timeText(replaced_until)] as const] : []),
      ['By', mailText`${by}`],
      ['From', mailText`${from}`],
      ['Time', timeText(at)],
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
