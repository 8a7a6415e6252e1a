import { formatAmount } from 'bestow-readers/format-amount.ts';
import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { inSubject, portal, theOperator } from './mail-parts.ts';
import { mailText, trusted } from './mail-text.ts';
import type { Notice } from './notice.ts';

/** About a gift that the screening of its claim put on hold, for the admins. */
export function heldMail(
  deps: Pick<Deps, 'config' | 'publicUrl'>,
  { organization_name, organization_id, gift_id, amount_cents }: Extract<Notice, { kind: 'gift_held' }>['details'],
): Mail {
  return {
    subject: `A gift was put on hold: ${inSubject(organization_name)}`,
    preheader: 'Its claim needs a review.',
    title: trusted('A gift was put on hold'),
    lead: mailText`Someone claimed a gift of ${organization_name}, and the screening of claims asked for a review. The gift is not claimed.`,
    facts: [
      ['Gift', mailText`${gift_id}`],
      ['Amount', trusted(formatAmount(amount_cents, deps.config.currency))],
    ],
    action: { label: 'Open the portal', link: `${portal(deps)}/${organization_id}/live/gifts/${gift_id}` },
    notes: {
      title: 'What you can do',
      points: [
        mailText`Ask ${theOperator(deps)} for the result of the review. The operator ends the hold; then the recipient can claim the gift.`,
      ],
    },
    reason: mailText`You got this email because you are an admin of ${organization_name}.`,
  };
}
