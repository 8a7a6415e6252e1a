import { formatAmount } from 'bestow-readers/format-amount.ts';
import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { inSubject, portal, theOperator } from './mail-parts.ts';
import { mailText, trusted } from './mail-text.ts';
import type { Notice } from './notice.ts';

/** About an issuer's balance that does not cover its cards, or the gifts that it pays when they are claimed, for the admins. */
export function fundsMail(
  deps: Pick<Deps, 'config' | 'publicUrl'>,
  {
    organization_name,
    issuer,
    available_cents,
    unspent_cents,
    is_paid_at_claim,
  }: Extract<Notice, { kind: 'funds_low' }>['details'],
): Mail {
  const { currency } = deps.config;
  return {
    subject: `The issuer’s balance is low: ${inSubject(organization_name)}`,
    preheader: is_paid_at_claim ? 'Gifts may not be claimed.' : 'Purchases with gifts may be declined.',
    title: trusted('The issuer’s balance is low'),
    lead: is_paid_at_claim
      ? mailText`The balance at the issuer of ${organization_name} is less than what its unclaimed gifts are worth. Without money there, they cannot be claimed; they stay safe.`
      : mailText`The balance at the issuer of cards of ${organization_name} is less than what gifts on its cards may still spend. Without money there, purchases are declined.`,
    facts: [
      ['Issuer', mailText`${issuer}`],
      ...(available_cents === null ? [] : ([['Balance', trusted(formatAmount(available_cents, currency))]] as const)),
      [
        is_paid_at_claim ? 'Your unclaimed gifts' : 'Your gifts may spend',
        trusted(formatAmount(unspent_cents, currency)),
      ],
    ],
    action: { label: 'Open the portal', link: portal(deps) },
    notes: {
      title: 'What you can do',
      points: [mailText`Ask ${theOperator(deps)} to add money to the balance at the issuer.`],
    },
    reason: mailText`You got this email because you are an admin of ${organization_name}.`,
  };
}
