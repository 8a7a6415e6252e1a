import type { Deps } from '../deps.ts';
import type { Mail } from './mail.ts';
import { ENVIRONMENTS, inSubject, portal, timeText } from './mail-parts.ts';
import { mailText, trusted } from './mail-text.ts';
import type { Notice } from './notice.ts';

type Details = Extract<Notice, { kind: 'webhook_failing' }>['details'];

const texts = {
  failing: {
    subject: 'A webhook endpoint fails',
    lead: 'accepted no event since then. Bestow keeps trying, and switches it off after five days.',
  },
  disabled: {
    subject: 'A webhook endpoint was switched off',
    lead: 'accepted no event for five days, so Bestow sends it no more.',
  },
  gone: {
    subject: 'A webhook endpoint was switched off',
    lead: 'answered 410, which says that it wants no events, so Bestow sends it no more.',
  },
} as const satisfies Record<Details['state'], { subject: string; lead: string }>;

/** About an endpoint that accepts no events, for the admins. */
export function webhookMail(
  deps: Pick<Deps, 'publicUrl'>,
  { organization_name, environment, url, failing_since, state }: Details,
): Mail {
  const { subject, lead } = texts[state];
  return {
    subject: `${subject}: ${inSubject(organization_name)}`,
    preheader: 'No event is lost.',
    title: trusted(subject),
    lead: mailText`An endpoint of ${organization_name} ${trusted(lead)}`,
    facts: [
      ['Endpoint', mailText`${url}`],
      ['Environment', trusted(ENVIRONMENTS[environment])],
      ['Since', timeText(failing_since)],
    ],
    action: { label: 'Open the portal', link: portal(deps) },
    notes: {
      title: 'What you can do',
      points: [
        mailText`Look at the answers of the endpoint in the portal, and fix it.`,
        mailText`No event is lost. If the endpoint was switched off, switch it on: it gets every event since it stopped.`,
      ],
    },
    reason: mailText`You got this email because you are an admin of ${organization_name}.`,
  };
}
