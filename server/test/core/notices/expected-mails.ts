import type { NoticeKind } from '../../../src/core/notices/notice.ts';
import { codeNotice, keyDetails } from '../../harness/notices.ts';
import { expectedFinderMail } from './expected-finder-mail.ts';
import { expectedIssuerMails } from './expected-issuer-mails.ts';
import { type ExpectedMail, expectedKeyMails } from './expected-key-mails.ts';
import { expectedRequestMails } from './expected-request-mails.ts';
import { expectedYearlyMails } from './expected-yearly-mails.ts';

/** Each kind of mail to a member, as a mail program shows it. */
export const expectedMails: Record<NoticeKind, ExpectedMail> = {
  sign_in_code: {
    notice: (service) => codeNotice(service, '482913'),
    subject: 'Your sign-in code for Bestow',
    text: `Your sign-in code

Enter it on the sign-in page. It works once, within 10 minutes.

482913

Do not share this code

Anyone with this code can sign in as you. Bestow never asks for it.

If you did not request a code, ignore this email. No one can sign in without the code.

You got this email because someone tried to sign in to Bestow with your address.
`,
  },
  ...expectedRequestMails,
  ...expectedYearlyMails,
  card_code: {
    notice: (service) => ({
      kind: 'card_code',
      details: { sealed_code: service.service.deps.cipher.encrypt('482913'), expires_minutes: 10, channel: 'email' },
    }),
    subject: 'Your code to open your gift',
    text: `Your code

Enter it on the page that asked for it to open your gift. It works once, within 10 minutes.

482913

Do not share this code

Anyone with this code and the gift’s link can open your gift. Bestow never asks for it.

If you did not request a code, ignore this email. No one can open your gift without the code.

You got this email because someone asked for a code to open your gift.
`,
  },
  card_reopened: {
    notice: () => ({ kind: 'card_reopened', details: { hours: 24, channel: 'email' } }),
    subject: 'Your gift can be moved to another browser',
    text: `Your gift can be moved

The sender of your gift lets another browser open it, once within 24 hours.

If you did not ask for this

Tell the sender at once. They can put the gift on hold.

When another browser opens the gift, the earlier one no longer can.

You got this email because you claimed this gift.
`,
  },
  finder_code: expectedFinderMail,
  member_invited: {
    notice: () => ({
      kind: 'member_invited',
      details: { organization_name: 'Acme', role: 'member', by: 'grace@acme.example' },
    }),
    subject: 'You are a member of Acme on Bestow',
    text: `Welcome to Acme

You are now a member of Acme on Bestow. In the portal you can view its gifts, balance and API keys.

Open the portal:
https://gifts.example.com/portal

How to sign in

Enter this email address and we’ll email you a code. There is no password.

If you did not expect this invitation, ignore this email. Nothing happens until you sign in.

You got this email because grace@acme.example added your address to Acme.
`,
  },
  ...expectedKeyMails,
  access_changed: {
    notice: () => ({
      kind: 'access_changed',
      details: {
        organization_name: 'Acme',
        change: 'admin_added',
        about: 'bob@acme.example',
        by: 'grace@acme.example',
        from: '203.0.113.9',
        at: keyDetails.at,
      },
    }),
    subject: 'A new admin was added: Acme',
    text: `A new admin was added

bob@acme.example is now an admin of Acme.

By: grace@acme.example
From: 203.0.113.9
Time: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

If none of you did this

Undo it in the portal immediately, and deactivate the member who did it.

Then check the audit log for other changes, such as new keys.

You got this email because you are an admin of Acme.
`,
  },
  cap_raised: {
    notice: () => ({
      kind: 'cap_raised',
      details: {
        organization_name: 'Acme',
        key_name: 'Web shop',
        environment: 'live',
        before: { hour: 50_000, day: 200_000 },
        after: { hour: null, day: 500_000 },
        by: 'grace@acme.example',
        from: '203.0.113.9',
        at: '2026-11-21T12:00:00.000Z',
      },
    }),
    subject: 'A spending cap of Acme was raised',
    text: `A spending cap was raised

Orders of Acme may now cost more than before.

Orders: With the key Web shop
Environment: Live
Cap before: $500.00 per hour, $2,000.00 per day
Cap now: $5,000.00 per day
By: grace@acme.example
From: 203.0.113.9
Time: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

If none of you did this

Lower the cap in the portal immediately. It holds from the next order.

Then check the audit log for other changes.

You got this email because you are an admin of Acme.
`,
  },
  webhook_failing: {
    notice: () => ({
      kind: 'webhook_failing',
      details: {
        organization_name: 'Acme',
        environment: 'live',
        url: 'https://shop.example/in',
        failing_since: '2026-11-16T12:00:00Z',
        state: 'disabled',
      },
    }),
    subject: 'A webhook endpoint was switched off: Acme',
    text: `A webhook endpoint was switched off

An endpoint of Acme accepted no event for five days, so Bestow sends it no more.

Endpoint: https://shop.example/in
Environment: Live
Since: 16 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

What you can do

Look at the answers of the endpoint in the portal, and fix it.

No event is lost. If the endpoint was switched off, switch it on: it gets every event since it stopped.

You got this email because you are an admin of Acme.
`,
  },
  ...expectedIssuerMails,
  gifts_expire: {
    notice: () => ({
      kind: 'gifts_expire',
      details: {
        organization_name: 'Acme',
        expiring: [
          { environment: 'live', gifts: 12, amount_cents: 45_000, first_expires_at: '2027-05-13T00:00:00.000Z' },
          { environment: 'sandbox', gifts: 1, amount_cents: 2500, first_expires_at: '2027-05-15T00:00:00.000Z' },
        ],
      },
    }),
    subject: '13 unclaimed gifts of Acme will expire',
    text: `13 unclaimed gifts will expire

Recipients of Acme have not claimed these gifts. A week from now at the earliest, those that are past their last day are canceled, and their value returns to the balance.

Live: 12 unclaimed gifts, $450.00, from 12 May 2027 on
Sandbox: 1 unclaimed gift, $25.00, from 14 May 2027 on

Open the portal:
https://gifts.example.com/portal

What you can do

Remind the recipients, or replace the link of a gift in the portal. A claimed gift does not expire.

Gifts on hold do not expire while the hold lasts.

You got this email because you are an admin or the billing contact of Acme.
`,
  },
  topup: {
    notice: () => ({
      kind: 'topup',
      details: {
        organization_name: 'Acme',
        organization_id: 'org_01k0fxw4mze6hv3tqx4d5s8r2n',
        event: 'bank_asks',
        amount_cents: 50_000,
        card: 'visa 4242',
      },
    }),
    subject: 'Your bank asks you to confirm a top-up: Acme',
    text: `Your bank asks you to confirm a top-up

A top-up of Acme was not charged, because the bank wants the card holder to confirm the payment.

Amount: $500.00
Card: visa 4242

Open the portal:
https://gifts.example.com/portal/org_01k0fxw4mze6hv3tqx4d5s8r2n/live/balance

What you can do

Open the balance in the portal and choose “Pay now”. Until then no other automatic top-up starts.

You got this email because you are an admin of Acme.
`,
  },
  balance_low: {
    notice: () => ({
      kind: 'balance_low',
      details: { organization_name: 'Acme', environment: 'live', balance_cents: 4550, threshold_cents: 100_000 },
    }),
    subject: 'The balance of Acme is low',
    text: `The balance is low

The live balance of Acme has fallen below $1,000.00.

$45.50 left

Open the portal:
https://gifts.example.com/portal

What happens now

You can order gifts as long as the balance covers them. An order that costs more is declined, and nothing is charged.

We send this alert once. The next one can follow after the balance was back at $1,000.00 or more.

You got this email because you are an admin or the billing contact of Acme. You can change the alert in the portal.
`,
  },
};
