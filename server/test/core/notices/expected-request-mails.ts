import type { ExpectedMail } from './expected-key-mails.ts';

const request = {
  organization_name: 'Acme',
  organization_id: 'org_01h455vb4pex5vsknk084sn02q',
  environment: 'live',
  request_id: 'ask_01h455vb4pex5vsknk084sn02q',
  amount_cents: 2500,
} as const;

/** The mails about gifts that members ask for. */
export const expectedRequestMails = {
  gift_requested: {
    notice: () => ({ kind: 'gift_requested', details: { ...request, by: 'bob@example.com' } }),
    subject: 'A gift waits for your approval: Acme',
    text: `A gift waits for your approval

bob@example.com asks for a gift of Acme. Nothing is bought until it is approved.

Amount: $25.00
Environment: Live
By: bob@example.com

Open the portal:
https://gifts.example.com/portal/org_01h455vb4pex5vsknk084sn02q/live/gifts/requests/ask_01h455vb4pex5vsknk084sn02q

What you can do

Approve or decline it in the portal. It expires after 30 days.

You got this email because you decide requests for gifts of Acme.
`,
  },
  gift_request_decided: {
    notice: () => ({
      kind: 'gift_request_decided',
      details: { ...request, by: 'ada@example.com', state: 'declined', reason: 'Not this year' },
    }),
    subject: 'Your gift was declined: Acme',
    text: `Your gift was declined

The gift of Acme that you asked for was declined. Nothing was bought.

Amount: $25.00
Environment: Live
By: ada@example.com
Reason: Not this year

Open the portal:
https://gifts.example.com/portal/org_01h455vb4pex5vsknk084sn02q/live/gifts/requests/ask_01h455vb4pex5vsknk084sn02q

What you can do

You can ask for another gift in the portal.

You got this email because you asked for this gift.
`,
  },
} satisfies Record<string, ExpectedMail>;
