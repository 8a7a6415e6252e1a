import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Notice } from '../../../src/core/notices/notice.ts';
import { gift } from '../../harness/api-client.ts';
import { countPending } from '../../harness/deliveries.ts';
import { type MailServer, type ReceivedMail, startMailServer, workUntil } from '../../harness/mail-server.ts';
import {
  areSettled,
  keyDetails,
  noticesOf,
  queue,
  referenceOf,
  sendNotice,
  startNoticeService,
} from '../../harness/notices.ts';
import type { TestOrganization, TestService } from '../../harness/test-service.ts';
import { expectedMails } from './expected-mails.ts';

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

/** Sends a gift to the address, because others get no code. */
async function sendGift(email: string): Promise<void> {
  await organization.live.order([gift({ delivery: { method: 'email', email } })]);
  await workUntil(service, async () => (await countPending(service)) === 0, 'sent');
  mail.received.length = 0;
}

for (const [kind, { notice, subject, text }] of Object.entries(expectedMails))
  test(`${kind}: the mail has the expected text, as HTML and as plain text`, async () => {
    if (kind === 'finder_code') await sendGift('Ada.L+x@Acme.EXAMPLE');
    const received = await sendNotice(service, mail, organization, notice(service));
    const row = (await noticesOf(service, organization)).at(-1);
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
      for (const part of line.startsWith('http') ? [line] : line.split(/(?<=^[A-Z][a-z ]+): /))
        assert.ok(words.replaceAll(' ', '').includes(part.replaceAll(' ', '')), part);
    const links = new Set([...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url));
    assert.deepEqual(
      [...links],
      kind.endsWith('_code') || kind === 'card_reopened'
        ? []
        : [/https:\/\/gifts\.example\.com\/portal.*/.exec(text)?.[0]],
    );
    assert.doesNotMatch(html, /<script|<form|<link|<img|@import|url\(/i);
    const sent = { state: 'sent', tries: 1, reason: null, provider: 'smtp' };
    assert.deepEqual(row, { notice_id: row.notice_id, recipient: 'Ada.L+x@Acme.EXAMPLE', kind, ...sent });
  });

test('the mail about an agent’s order names the agent and counts the gifts', async () => {
  const notice = expectedMails.gift_requested.notice(service) as Extract<Notice, { kind: 'gift_requested' }>;
  const details = { ...notice.details, by: 'Assistant', is_agent: true as const, gifts: 3 };
  const { email } = await sendNotice(service, mail, organization, { kind: 'gift_requested', details });
  assert.equal(email.subject, 'An order waits for your approval: Acme');
  assert.match(email.text ?? '', /^The agent Assistant asks to order 3 gifts of Acme\. Nothing is bought until/m);
});

test('the finder sends no code to an address without gifts', async () => {
  const { notice } = expectedMails.finder_code;
  await queue(service, organization, notice(service), 'nothing@example.com');
  await workUntil(service, () => areSettled(service, organization), 'settled');
  const state = (await noticesOf(service, organization)).at(-1);
  assert.deepEqual([mail.received.length, state?.state, state?.tries], [0, 'failed', 0]);
});

test('hostile names add no element, no header and no link', async () => {
  const hostile =
    '</td></table><a href="https://evil.test">x</a> evil.test me@evil.test \u202e\u2067\u200f\u061c"\r\nBcc: evil@evil.test';
  const details = { ...keyDetails, organization_name: hostile, key_name: hostile, by: hostile, from: hostile };
  const plain = await sendNotice(service, mail, organization, { kind: 'key_created', details: keyDetails });
  const received = await sendNotice(service, mail, organization, { kind: 'key_created', details });
  const tags = ({ email }: ReceivedMail) => [...(email.html ?? '').matchAll(/<\/?[a-z][^\s>]*/g)].map(([tag]) => tag);
  const headers = ({ email }: ReceivedMail) => email.headers.map((header) => header.key).sort();
  assert.deepEqual(tags(received), tags(plain));
  assert.deepEqual(headers(received), headers(plain));
  assert.deepEqual(received.to, ['Ada.L+x@Acme.EXAMPLE']);
  assert.doesNotMatch(received.email.subject ?? '', /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  for (const part of [received.email.html ?? '', received.email.text ?? '']) {
    const shown = part.replace(/<title>.*<\/title>/, '').replace(/<div style="display:none.*<\/div>/, '');
    assert.doesNotMatch(shown, /evil\.test|me@evil|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  }
});
