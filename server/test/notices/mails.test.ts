import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Notice, NoticeKind } from '../../src/notices/notice.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../harness/mail-server.ts';
import { codeNotice, keyDetails, noticesOf, referenceOf, sendNotice, startNoticeService } from '../harness/notices.ts';
import type { TestOrganization, TestService } from '../harness/test-service.ts';

// The texts of the mails to members, parsed as a mail program does.

let mail: MailServer;
let service: TestService;
let organization: TestOrganization;
before(async () => {
  mail = await startMailServer();
  service = await startNoticeService(mail);
});
beforeEach(async () => {
  organization = await service.organization();
});
after(async () => {
  await service.close();
  await mail.close();
});

/** Removes the invisible characters that stop mail programs from making links. */
const visible = (text: string) => text.replaceAll('\u2060', '');

const mails: Record<NoticeKind, { notice: () => Notice; subject: string; text: string }> = {
  sign_in_code: {
    notice: () => codeNotice(service, '482913'),
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
  key_created: {
    notice: () => ({ kind: 'key_created', details: keyDetails }),
    subject: 'An API key of Acme was created',
    text: `An API key was created

Anyone with this key can order gifts for Acme.

Key: Web shop
Value: bestow-live-…a1b2
Environment: Live
By: grace@acme.example
From: 203.0.113.9
Time: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

If none of you did this

Revoke the key in the portal immediately. It stops working with the next request.

Then check the audit log for other changes.

You got this email because you are an admin of Acme.
`,
  },
  key_revoked: {
    notice: () => ({ kind: 'key_revoked', details: { ...keyDetails, by: 'the operator (root)', from: 'ops-1' } }),
    subject: 'An API key of Acme was revoked',
    text: `An API key was revoked

This key can no longer be used to order gifts for Acme.

Key: Web shop
Value: bestow-live-…a1b2
Environment: Live
By: the operator (root)
From: ops-1
Time: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

If none of you did this

Programs that use this key are now refused. You cannot restore a key: create a new one in the portal.

Then check the audit log for other changes.

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

for (const [kind, { notice, subject, text }] of Object.entries(mails))
  test(`${kind}: the mail has the expected text, as HTML and as plain text`, async () => {
    const received = await sendNotice(service, mail, organization, notice());
    const [row] = await noticesOf(service, organization);
    assert.ok(row);
    assert.deepEqual([received.from, received.to], ['gifts@bestow.example', ['Ada.L+x@Acme.EXAMPLE']]);
    assert.match(received.raw, /^To: Ada\.L\+x@Acme\.EXAMPLE\r$/m);
    assert.deepEqual(received.email.from, { name: 'Bestow', address: 'gifts@bestow.example' });
    assert.equal(received.messageId, `${referenceOf(organization, row)}@bestow.example`);
    assert.equal(received.email.subject, subject);
    const { html = '', text: receivedText = '' } = received.email;
    // SMTP adds a line break.
    assert.equal(visible(receivedText), `${text}\n`);
    // The HTML says the same; its only link leads to the portal.
    const words = visible(html.replace(/^[\s\S]*?<table/, '<').replace(/<[^>]+>/g, ' '))
      .replaceAll('&ensp;', ' ')
      .replace(/\s+/g, ' ');
    for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('Open the portal')))
      for (const part of line.startsWith('http') ? [line] : line.split(/(?<=^[A-Z][a-z]+): /))
        assert.ok(words.replaceAll(' ', '').includes(part.replaceAll(' ', '')), part);
    const links = new Set([...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url));
    assert.deepEqual([...links], kind === 'sign_in_code' ? [] : ['https://gifts.example.com/portal']);
    assert.doesNotMatch(html, /<script|<form|<link|<img|@import|url\(/i);
    const sent = { state: 'sent', tries: 1, reason: null, provider: 'smtp' };
    assert.deepEqual(row, { notice_id: row.notice_id, recipient: 'Ada.L+x@Acme.EXAMPLE', kind, ...sent });
  });

test('hostile names add no element, no header and no link', async () => {
  const hostile =
    '</td></table><a href="https://evil.test">x</a> evil.test me@evil.test \u202e"\r\nBcc: evil@evil.test';
  const details = { ...keyDetails, organization_name: hostile, key_name: hostile, by: hostile, from: hostile };
  const plain = await sendNotice(service, mail, organization, { kind: 'key_created', details: keyDetails });
  const received = await sendNotice(service, mail, organization, { kind: 'key_created', details });
  const tags = ({ email }: ReceivedMail) => [...(email.html ?? '').matchAll(/<\/?[a-z][^\s>]*/g)].map(([tag]) => tag);
  const headers = ({ email }: ReceivedMail) => email.headers.map((header) => header.key).sort();
  assert.deepEqual(tags(received), tags(plain));
  assert.deepEqual(headers(received), headers(plain));
  assert.deepEqual(received.to, ['Ada.L+x@Acme.EXAMPLE']);
  for (const part of [received.email.html ?? '', received.email.text ?? '']) {
    const shown = part.replace(/<title>.*<\/title>/, '').replace(/<div style="display:none.*<\/div>/, '');
    assert.doesNotMatch(shown, /evil\.test|me@evil|\u202e/);
  }
});
