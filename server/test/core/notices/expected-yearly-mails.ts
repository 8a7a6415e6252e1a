import type { ExpectedMail } from './expected-key-mails.ts';

const rule = {
  organization_name: 'Acme',
  organization_id: 'org_01h455vb4pex5vsknk084sn02q',
  environment: 'live',
  rule: 'Birthdays',
} as const;

/** The mails about gifts that rules send each year. */
export const expectedYearlyMails = {
  yearly_gifts_coming: {
    notice: () => ({
      kind: 'yearly_gifts_coming',
      details: { ...rule, gifts: 3, amount_cents: 7500, mode: 'sends' },
    }),
    subject: '3 yearly gifts of Acme come within a week',
    text: `3 yearly gifts come within a week

Acme sends them on the day, if the balance and the rule’s limit cover them.

Rule: Birthdays
Environment: Live
Gifts: 3
Amount: $75.00

Open the portal:
https://gifts.example.com/portal/org_01h455vb4pex5vsknk084sn02q/live/calendar

What you can do

Skip a gift in the calendar until its day, or pause the rule.

You got this email because you are an admin of Acme, or saved this rule.
`,
  },
  yearly_gifts_waiting: {
    notice: () => ({
      kind: 'yearly_gifts_waiting',
      details: { ...rule, gifts: 1, reason: 'insufficient_balance' },
    }),
    subject: '1 yearly gift waits: Acme',
    text: `1 yearly gift waits

Acme could not send it today. The balance does not cover the gifts. Add funds, and they are sent.

Rule: Birthdays
Environment: Live

Open the portal:
https://gifts.example.com/portal/org_01h455vb4pex5vsknk084sn02q/live/calendar

What happens now

We try again every ten minutes for seven days after the day. After that, nothing is sent this year.

You got this email because you are an admin of Acme, or saved this rule.
`,
  },
} satisfies Record<string, ExpectedMail>;
