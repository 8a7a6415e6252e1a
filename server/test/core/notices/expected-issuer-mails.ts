import type { ExpectedMail } from './expected-key-mails.ts';

/** The mails about the issuers of cards and codes. */
export const expectedIssuerMails = {
  codes_low: {
    notice: () => ({
      kind: 'codes_low',
      details: { organization_name: 'Acme', category: 'coffee', left: 7, limit: 20 },
    }),
    subject: 'Few codes are left: Acme',
    text: `Few codes are left

The stock of codes of Acme is low. A gift without a code waits until there is one.

Category: coffee
Left: 7
Mail below: 20

Open the portal:
https://gifts.example.com/portal

What you can do

Ask the operator of the service to add codes with bestow issuer upload.

You got this email because you are an admin of Acme.
`,
  },
  funds_low: {
    notice: () => ({
      kind: 'funds_low',
      details: { organization_name: 'Acme', issuer: 'stripe', available_cents: 999, unspent_cents: 2500 },
    }),
    subject: 'The issuer’s balance is low: Acme',
    text: `The issuer’s balance is low

The balance at the issuer of cards of Acme is less than what gifts on its cards may still spend. Without money there, purchases are declined.

Issuer: stripe
Balance: $9.99
Your gifts may spend: $25.00

Open the portal:
https://gifts.example.com/portal

What you can do

Ask the operator of the service to add money to the balance at the issuer.

You got this email because you are an admin of Acme.
`,
  },
  gift_held: {
    notice: () => ({
      kind: 'gift_held',
      details: {
        organization_name: 'Acme',
        organization_id: 'org_01h455vb4pex5vsknk084sn02q',
        gift_id: 'gift_01h455vb4pex5vsknk084sn02q',
        amount_cents: 2500,
      },
    }),
    subject: 'A gift was put on hold: Acme',
    text: `A gift was put on hold

Someone claimed a gift of Acme, and the screening of claims asked for a review. The gift is not claimed.

Gift: gift_01h455vb4pex5vsknk084sn02q
Amount: $25.00

Open the portal:
https://gifts.example.com/portal/org_01h455vb4pex5vsknk084sn02q/live/gifts/gift_01h455vb4pex5vsknk084sn02q

What you can do

Ask the operator of the service for the result of the review. The operator ends the hold; then the recipient can claim the gift.

You got this email because you are an admin of Acme.
`,
  },
} satisfies Record<string, ExpectedMail>;
