import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Notice, NoticeKind } from '../../src/notices/notice.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../harness/mail-server.ts';
import { codeNotice, keyDetails, noticesOf, referenceOf, sendNotice, startNoticeService } from '../harness/notices.ts';
import type { TestOrganization, TestService } from '../harness/test-service.ts';

// Issue 4: what the mails to an organization's people say. Messages are parsed as a mail program does.

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

/** What is set behind the marks of an address so that no program makes a link of it. */
const visible = (text: string) => text.replaceAll('\u2060', '');

const letters: Record<NoticeKind, { notice: () => Notice; subject: string; text: string }> = {
  sign_in_code: {
    notice: () => codeNotice(service, '482913'),
    subject: 'Your sign-in code for Bestow',
    text: `Your sign-in code

Enter it where you asked for it. It works once, within 10 minutes.

482913

Keep it to yourself

Whoever has this code can sign in as you. Bestow never asks for it.

If you did not ask for a code, you need do nothing: without it nobody gets in.

You get this mail because somebody asked to sign in to Bestow with your address.
`,
  },
  member_invited: {
    notice: () => ({
      kind: 'member_invited',
      details: { organization_name: 'Acme', role: 'member', by: 'grace@acme.example' },
    }),
    subject: 'You are a member of Acme on Bestow',
    text: `Welcome to Acme

You are now a member of Acme on Bestow. In the portal you see its gifts, its money and its keys; its admins may change them.

Open the portal:
https://gifts.example.com/portal

How to sign in

Enter this email address. You get a code by mail, and there is no password.

If you did not expect this, you need do nothing: nothing happens until you sign in.

You get this mail because grace@acme.example added your address to Acme.
`,
  },
  key_created: {
    notice: () => ({ kind: 'key_created', details: keyDetails }),
    subject: 'An API key of Acme was created',
    text: `An API key was created

Whoever has it can order gifts for Acme.

Key: Web shop
Value: bestow-live-…a1b2
Environment: Live
By: grace@acme.example
From: 203.0.113.9
When: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

Was this not one of you?

Revoke it in the portal at once: whoever has it is refused from the next request on.

Then look into the audit log there, for what else was done and by whom.

You get this mail because you are an admin of Acme.
`,
  },
  key_revoked: {
    notice: () => ({ kind: 'key_revoked', details: { ...keyDetails, by: 'the operator (root)', from: 'ops-1' } }),
    subject: 'An API key of Acme was revoked',
    text: `An API key was revoked

Whoever has it can no longer order gifts for Acme.

Key: Web shop
Value: bestow-live-…a1b2
Environment: Live
By: the operator (root)
From: ops-1
When: 21 November 2026 at 12:00 UTC

Open the portal:
https://gifts.example.com/portal

Was this not one of you?

Programs that use this key are refused from now on, and a key cannot be brought back. Create a new one in the portal and give it to them.

Then look into the audit log there, for what else was done and by whom.

You get this mail because you are an admin of Acme.
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

Gifts are sold as before while the balance pays for them. An order that costs more is refused as a whole, and nothing is charged.

This mail comes once. The next one comes after the balance was back at $1,000.00 or more.

You get this mail as an admin or the billing contact of Acme. When it comes is set in the portal.
`,
  },
};

for (const [kind, { notice, subject, text }] of Object.entries(letters))
  test(`${kind}: one mail from Bestow to one recipient, byte for byte, with all that it says in both its forms`, async () => {
    const received = await sendNotice(service, mail, organization, notice());
    const [row] = await noticesOf(service, organization);
    assert.ok(row);
    assert.deepEqual([received.from, received.to], ['gifts@bestow.example', ['Ada.L+x@Acme.EXAMPLE']]);
    assert.match(received.raw, /^To: Ada\.L\+x@Acme\.EXAMPLE\r$/m);
    assert.deepEqual(received.email.from, { name: 'Bestow', address: 'gifts@bestow.example' });
    assert.equal(received.messageId, `${referenceOf(organization, row)}@bestow.example`);
    assert.equal(received.email.subject, subject);
    const { html = '', text: receivedText = '' } = received.email;
    // A message ends with a line's end of its own.
    assert.equal(visible(receivedText), `${text}\n`);
    // The letter says the same, and its one link leads to the portal.
    const words = visible(html.replace(/^[\s\S]*?<table/, '<').replace(/<[^>]+>/g, ' '))
      .replaceAll('&ensp;', ' ')
      .replace(/\s+/g, ' ');
    for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('Open the portal')))
      for (const part of line.startsWith('http') ? [line] : line.split(/(?<=^[A-Z][a-z]+): /))
        assert.ok(words.replaceAll(' ', '').includes(part.replaceAll(' ', '')), part);
    const links = new Set([...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url));
    assert.deepEqual([...links], kind === 'sign_in_code' ? [] : ['https://gifts.example.com/portal']);
    assert.doesNotMatch(html, /<script|<form|<link|<img|@import|url\(/i);
    assert.deepEqual(
      { ...row, notice_id: '' },
      {
        notice_id: '',
        recipient: 'Ada.L+x@Acme.EXAMPLE',
        kind,
        state: 'sent',
        tries: 1,
        reason: null,
        provider: 'smtp',
      },
    );
  });

test('names with markup, addresses and marks of direction add no element, no header and no link', async () => {
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
