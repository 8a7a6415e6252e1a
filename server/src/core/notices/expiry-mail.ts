import { formatAmount } from 'bestow-readers/format-amount.ts';
import { lastDayOf } from '../../platform/base/last-day.ts';
import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { ENVIRONMENTS, inSubject, portal } from './mail-parts.ts';
import { mailText, trusted } from './mail-text.ts';
import type { Notice } from './notice.ts';

const giftsText = (count: number) => `${count} unclaimed gift${count === 1 ? '' : 's'}`;

/** The mail about gifts that will expire. */
export function expiryMail(
  deps: Pick<Deps, 'config' | 'publicUrl'>,
  { organization_name, expiring }: Extract<Notice, { kind: 'gifts_expire' }>['details'],
): Mail {
  const count = giftsText(expiring.reduce((sum, { gifts }) => sum + gifts, 0));
  return {
    subject: `${count} of ${inSubject(organization_name)} will expire`,
    preheader: 'Their value returns to the balance.',
    title: trusted(`${count} will expire`),
    lead: mailText`Recipients of ${organization_name} have not claimed these gifts. A week from now at the earliest, those that are past their last day are canceled, and their value returns to the balance.`,
    facts: expiring.map(({ environment, gifts, amount_cents, first_expires_at }) => [
      ENVIRONMENTS[environment],
      trusted(
        `${giftsText(gifts)}, ${formatAmount(amount_cents, deps.config.currency)}, from ${lastDayOf(first_expires_at)} on`,
      ),
    ]),
    action: { label: 'Open the portal', link: portal(deps) },
    notes: {
      title: 'What you can do',
      points: [
        mailText`Remind the recipients, or replace the link of a gift in the portal. A claimed gift does not expire.`,
        mailText`Gifts on hold do not expire while the hold lasts.`,
      ],
    },
    reason: mailText`You got this email because you are an admin or the billing contact of ${organization_name}.`,
  };
}
