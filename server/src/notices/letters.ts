import type { Environment } from '../base/environment.ts';
import { formatAmount } from '../base/format-money.ts';
import type { Deps } from '../deps.ts';
import { plainName, shorten } from '../messaging/plain-name.ts';
import type { Letter } from './letter.ts';
import type { KeyNoticeDetails, Notice, NoticeKind } from './notice.ts';
import { phrase, plain } from './phrase.ts';

type LetterDeps = Pick<Deps, 'config' | 'publicUrl' | 'seal'>;
type DetailsOf<Kind extends NoticeKind> = Extract<Notice, { kind: Kind }>['details'];
type LetterMakers = { [Kind in NoticeKind]: (deps: LetterDeps, details: DetailsOf<Kind>) => Letter | undefined };

const LONGEST_NAME_IN_SUBJECT = 80;
const inSubject = (name: string) => shorten(plainName(name), LONGEST_NAME_IN_SUBJECT);
const ENVIRONMENTS = { live: 'Live', sandbox: 'Sandbox' } as const satisfies Record<Environment, string>;
const ROLES = {
  admin: { words: 'an admin', rights: 'In the portal you see its gifts, its money and its keys, and may change them.' },
  member: {
    words: 'a member',
    rights: 'In the portal you see its gifts, its money and its keys; its admins may change them.',
  },
} as const;
const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const portal = ({ publicUrl }: LetterDeps) => `${publicUrl()}/portal`;

const makers: LetterMakers = {
  sign_in_code({ seal }, { sealed_code, expires_minutes }) {
    const code = seal.open(sealed_code);
    if (code === undefined) return undefined;
    const howLong = plain(`It works once, within ${expires_minutes} minutes.`);
    return {
      subject: 'Your sign-in code for Bestow',
      preheader: howLong.text,
      title: phrase`Your sign-in code`,
      lead: phrase`Enter it where you asked for it. ${howLong}`,
      code,
      notes: {
        title: 'Keep it to yourself',
        points: [
          phrase`Whoever has this code can sign in as you. Bestow never asks for it.`,
          phrase`If you did not ask for a code, you need do nothing: without it nobody gets in.`,
        ],
      },
      reason: phrase`You get this mail because somebody asked to sign in to Bestow with your address.`,
    };
  },

  member_invited(deps, { organization_name, role, by }) {
    const { words, rights } = ROLES[role];
    return {
      subject: `You are ${words} of ${inSubject(organization_name)} on Bestow`,
      preheader: rights,
      title: phrase`Welcome to ${organization_name}`,
      lead: phrase`You are now ${plain(words)} of ${organization_name} on Bestow. ${plain(rights)}`,
      action: { label: 'Open the portal', link: portal(deps) },
      notes: {
        title: 'How to sign in',
        points: [
          phrase`Enter this email address. You get a code by mail, and there is no password.`,
          phrase`If you did not expect this, you need do nothing: nothing happens until you sign in.`,
        ],
      },
      reason: phrase`You get this mail because ${by} added your address to ${organization_name}.`,
    };
  },

  key_created: (deps, details) => ({
    ...keyLetter(deps, details, 'created'),
    notes: {
      title: 'Was this not one of you?',
      points: [
        phrase`Revoke it in the portal at once: whoever has it is refused from the next request on.`,
        phrase`Then look into the audit log there, for what else was done and by whom.`,
      ],
    },
  }),

  key_revoked: (deps, details) => ({
    ...keyLetter(deps, details, 'revoked'),
    notes: {
      title: 'Was this not one of you?',
      points: [
        phrase`Programs that use this key are refused from now on, and a key cannot be brought back. Create a new one in the portal and give it to them.`,
        phrase`Then look into the audit log there, for what else was done and by whom.`,
      ],
    },
  }),

  balance_low(deps, { organization_name, environment, balance_cents, threshold_cents }) {
    const balance = formatAmount(balance_cents, deps.config.currency);
    const threshold = formatAmount(threshold_cents, deps.config.currency);
    return {
      subject: `The balance of ${inSubject(organization_name)} is low`,
      preheader: `${balance} left.`,
      title: phrase`The balance is low`,
      lead: phrase`The ${plain(environment)} balance of ${organization_name} has fallen below ${plain(threshold)}.`,
      figure: { amount: balance, words: 'left' },
      action: { label: 'Open the portal', link: portal(deps) },
      notes: {
        title: 'What happens now',
        points: [
          phrase`Gifts are sold as before while the balance pays for them. An order that costs more is refused as a whole, and nothing is charged.`,
          phrase`This mail comes once. The next one comes after the balance was back at ${plain(threshold)} or more.`,
        ],
      },
      reason: phrase`You get this mail as an admin or the billing contact of ${organization_name}. When it comes is set in the portal.`,
    };
  },
};

function keyLetter(deps: LetterDeps, details: KeyNoticeDetails, deed: 'created' | 'revoked'): Omit<Letter, 'notes'> {
  const { organization_name, key_name, key_hint, environment, by, from, at } = details;
  return {
    subject: `An API key of ${inSubject(organization_name)} was ${deed}`,
    preheader: `${plainName(key_name)}, by ${plainName(by)}`,
    title: deed === 'created' ? phrase`An API key was created` : phrase`An API key was revoked`,
    lead:
      deed === 'created'
        ? phrase`Whoever has it can order gifts for ${organization_name}.`
        : phrase`Whoever has it can no longer order gifts for ${organization_name}.`,
    facts: [
      ['Key', phrase`${key_name}`],
      ['Value', phrase`${key_hint}`],
      ['Environment', plain(ENVIRONMENTS[environment])],
      ['By', phrase`${by}`],
      ['From', phrase`${from}`],
      ['When', plain(`${dateFormat.format(new Date(at))} UTC`)],
    ],
    action: { label: 'Open the portal', link: portal(deps) },
    reason: phrase`You get this mail because you are an admin of ${organization_name}.`,
  };
}

/** What a notice says; undefined where it holds a code that cannot be opened any more. */
export function letterOf(deps: LetterDeps, notice: Notice): Letter | undefined {
  const make = makers[notice.kind] as (deps: LetterDeps, details: Notice['details']) => Letter | undefined;
  return make(deps, notice.details);
}
