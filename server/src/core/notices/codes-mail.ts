import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { inSubject, portal, theOperator } from './mail-parts.ts';
import { mailText, trusted } from './mail-text.ts';
import type { Notice } from './notice.ts';

/** About a stock of codes that runs out, for the admins. */
export function codesMail(
  deps: Pick<Deps, 'config' | 'publicUrl'>,
  { organization_name, category, left, limit }: Extract<Notice, { kind: 'codes_low' }>['details'],
): Mail {
  return {
    subject: `Few codes are left: ${inSubject(organization_name)}`,
    preheader: 'Gifts without a code cannot be claimed.',
    title: trusted('Few codes are left'),
    lead: mailText`The stock of codes of ${organization_name} is low. A gift without a code waits until there is one.`,
    facts: [
      ['Category', category === null ? trusted('all without an own issuer') : mailText`${category}`],
      ['Left', mailText`${String(left)}`],
      ['Mail below', mailText`${String(limit)}`],
    ],
    action: { label: 'Open the portal', link: portal(deps) },
    notes: {
      title: 'What you can do',
      points: [mailText`Ask ${theOperator(deps)} to add codes with bestow issuer upload.`],
    },
    reason: mailText`You got this email because you are an admin of ${organization_name}.`,
  };
}
