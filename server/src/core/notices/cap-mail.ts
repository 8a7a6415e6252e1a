import { formatAmount } from 'bestow-readers/format-amount.ts';
import { plainName } from '../../platform/messaging/plain-name.ts';
import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { ENVIRONMENTS, inSubject, portal, timeText } from './mail-parts.ts';
import { mailText, trusted } from './mail-text.ts';
import type { Notice } from './notice.ts';

type Details = Extract<Notice, { kind: 'cap_raised' }>['details'];

/** About a spending cap that was raised, for the admins. */
export function capMail(
  deps: Pick<Deps, 'config' | 'publicUrl'>,
  { organization_name, key_name, environment, before, after, by, from, at }: Details,
): Mail {
  const amounts = ({ hour, day }: Details['before']) => {
    const texts = [
      hour === null ? [] : [`${formatAmount(hour, deps.config.currency)} per hour`],
      day === null ? [] : [`${formatAmount(day, deps.config.currency)} per day`],
    ].flat();
    return trusted(texts.length === 0 ? 'None' : texts.join(', '));
  };
  return {
    subject: `A spending cap of ${inSubject(organization_name)} was raised`,
    preheader: `By ${plainName(by)}`,
    title: mailText`A spending cap was raised`,
    lead: mailText`Orders of ${organization_name} may now cost more than before.`,
    facts: [
      ['Orders', key_name === null ? trusted('All') : mailText`With the key ${key_name}`],
      ['Environment', trusted(ENVIRONMENTS[environment])],
      ['Cap before', amounts(before)],
      ['Cap now', amounts(after)],
      ['By', mailText`${by}`],
      ['From', mailText`${from}`],
      ['Time', timeText(at)],
    ],
    action: { label: 'Open the portal', link: portal(deps) },
    notes: {
      title: 'If none of you did this',
      points: [
        mailText`Lower the cap in the portal immediately. It holds from the next order.`,
        mailText`Then check the audit log for other changes.`,
      ],
    },
    reason: mailText`You got this email because you are an admin of ${organization_name}.`,
  };
}
