import { formatAmount } from 'bestow-readers/format-amount.ts';
import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { inSubject, portal } from './mail-parts.ts';
import { mailText, trusted } from './mail-text.ts';
import type { Notice, TopupEvent } from './notice.ts';

type Details = Extract<Notice, { kind: 'topup' }>['details'];

const texts: Record<TopupEvent, { subject: string; lead: string; point: string }> = {
  bank_asks: {
    subject: 'Your bank asks you to confirm a top-up',
    lead: 'was not charged, because the bank wants the card holder to confirm the payment.',
    point: 'Open the balance in the portal and choose “Pay now”. Until then no other automatic top-up starts.',
  },
  failed: {
    subject: 'An automatic top-up failed',
    lead: 'could not be charged. Bestow tries again after a day.',
    point: 'Check the card in the portal, or add funds another way.',
  },
  switched_off: {
    subject: 'Automatic top-ups were switched off',
    lead: 'could not be charged for the second time, so automatic top-ups are now off.',
    point: 'Choose another card in the portal and switch automatic top-ups on again.',
  },
  refund: {
    subject: 'A top-up was refunded',
    lead: 'was refunded and taken from the balance.',
    point: 'If the balance did not hold the amount, the rest is owed: orders are declined until funds cover it.',
  },
  dispute: {
    subject: 'A top-up was charged back',
    lead: 'was charged back by the card holder’s bank and taken from the balance. Automatic top-ups are off.',
    point: 'If the balance did not hold the amount, the rest is owed: orders are declined until funds cover it.',
  },
  return: {
    subject: 'A bank transfer was returned',
    lead: 'was taken back by the bank that had sent it, and is no longer in the balance.',
    point: 'If the balance did not hold the amount, the rest is owed: orders are declined until funds cover it.',
  },
};

/** About a top-up that needs a person, or was taken back, for the admins. */
export function topupMail(
  deps: Pick<Deps, 'config' | 'publicUrl'>,
  { organization_name, organization_id, event, amount_cents, card }: Details,
): Mail {
  const { subject, lead, point } = texts[event];
  return {
    subject: `${subject}: ${inSubject(organization_name)}`,
    preheader: formatAmount(amount_cents, deps.config.currency),
    title: trusted(subject),
    lead: mailText`A top-up of ${organization_name} ${trusted(lead)}`,
    facts: [
      ['Amount', trusted(formatAmount(amount_cents, deps.config.currency))],
      ...(card === undefined ? [] : [['Card', mailText`${card}`] as const]),
    ],
    action: { label: 'Open the portal', link: `${portal(deps)}/${organization_id}/live/balance` },
    notes: { title: 'What you can do', points: [trusted(point)] },
    reason: mailText`You got this email because you are an admin of ${organization_name}.`,
  };
}
