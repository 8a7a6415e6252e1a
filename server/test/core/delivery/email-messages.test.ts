import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setProgram } from '../../../src/core/organizations/set-program.ts';
import { decodeReference } from '../../../src/platform/messaging/reference.ts';
import { gift } from '../../harness/api-client.ts';
import { deliveriesOf } from '../../harness/deliveries.ts';
import type { ReceivedMail } from '../../harness/mail-server.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { openLink } from '../../harness/test-service.ts';

// Against a real SMTP server; messages are parsed as a mail program does.

const { mail, service, organization, send } = openMailService({ PUBLIC_URL: 'https://gifts.example.com' });

const giftTo = (email: string, more: Record<string, unknown> = {}) =>
  gift({ delivery: { method: 'email', email }, ...more });

/** Orders a gift and returns its id and its message. */
async function sendOne(email: string, personalization: Record<string, string> = {}) {
  const { status, body } = await organization.live.order([giftTo(email, { personalization })]);
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(await send(), []);
  const [received] = mail.received;
  assert.ok(received);
  return { giftId: body.gifts[0].gift_id as string, received };
}

const headerNames = ({ email }: ReceivedMail) => email.headers.map(({ key }) => key).sort();
const headerOf = ({ email }: ReceivedMail, name: string) => email.headers.find(({ key }) => key === name)?.value;
/** The HTML elements in order, without content. */
const elements = ({ email }: ReceivedMail) =>
  [...(email.html ?? '').matchAll(/<\/?([a-z][a-z0-9]*)[\s>]/gi)].map(([, tag]) => tag);

test('a live email gift sends one message with a reference that providers return', async () => {
  const { giftId, received } = await sendOne('Some.One+Gifts@Mail.EXAMPLE.com', {
    recipient_name: 'Ada',
    sender_name: 'Acme',
  });
  assert.equal(mail.received.length, 1);
  assert.deepEqual([received.from, received.to], ['gifts@bestow.example', ['Some.One+Gifts@Mail.EXAMPLE.com']]);
  const [reference, host] = received.messageId.split('@');
  assert.match(reference ?? '', /^[0-9a-f]{32}l[0-9a-f]{64}$/);
  assert.equal(host, 'bestow.example');
  assert.deepEqual(received.email.from, { name: 'Acme via Bestow', address: 'gifts@bestow.example' });
  assert.match(received.raw, /^To: Some\.One\+Gifts@Mail\.EXAMPLE\.com\r$/m);
  const metadata = headerOf(received, 'x-pm-metadata-delivery') ?? '';
  assert.ok(metadata.length <= 80, `Postmark takes 80 characters, not ${metadata.length}`);
  assert.deepEqual(decodeReference(metadata), decodeReference(reference ?? ''));
  assert.match(received.raw, new RegExp(`^X-PM-Metadata-delivery: ${metadata}\\r$`, 'm'));
  assert.match(received.raw, new RegExp(`^X-SES-MESSAGE-TAGS: delivery=${reference}\\r$`, 'm'));
  assert.deepEqual(JSON.parse(headerOf(received, 'x-smtpapi') ?? '').unique_args, { delivery: reference });
  assert.equal(headerOf(received, 'auto-submitted'), 'auto-generated');
  assert.equal(headerOf(received, 'x-auto-response-suppress'), 'All');
  assert.equal(received.email.subject, 'Acme sent you a gift');
  const sent = { state: 'sent', tries: 1, reason: null, provider: 'smtp', provider_id: null };
  assert.deepEqual(await deliveriesOf(service, giftId), [{ address: 'Some.One+Gifts@Mail.EXAMPLE.com', ...sent }]);
});

test('providers are asked to leave links and pictures as they are', async () => {
  const { received } = await sendOne('ada@example.com');
  const { filters } = JSON.parse(headerOf(received, 'x-smtpapi') ?? '');
  for (const filter of ['clicktrack', 'opentrack', 'subscriptiontrack', 'ganalytics', 'footer'])
    assert.deepEqual(filters[filter], { settings: { enable: 0 } }, filter);
  assert.equal(headerOf(received, 'x-pm-tracklinks'), 'None');
  assert.equal(headerOf(received, 'x-pm-trackopens'), 'false');
});

test('the mail names sender, organization and recipient; its link opens the gift', async () => {
  const { received } = await sendOne('ada@example.com', {
    recipient_name: 'Ada Lovelace',
    sender_name: 'Acme Corporation',
  });
  const { html = '', text = '' } = received.email;
  for (const part of [html, text])
    for (const phrase of ['Acme Corporation', 'Test Organization', 'Ada Lovelace', 'password', 'gifts.example.com'])
      assert.ok(part.includes(phrase), phrase);
  assert.doesNotMatch(html + text, /25\.00|coffee/i);
  const links = new Set([...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url));
  assert.equal(links.size, 1);
  const [link = ''] = links;
  assert.match(link, /^https:\/\/gifts\.example\.com\/g\/[\w-]+$/);
  assert.ok(text.includes(`\n${link}\n`));
  assert.equal((await openLink(service, link)).status, 200);
  assert.ok(Buffer.byteLength(html) < 30_000, `${Buffer.byteLength(html)} bytes`);
  assert.doesNotMatch(html, /<script|<form|<link|@import|url\(/i);
});

test('the mail names amount and category if the organization wants that', async () => {
  const { organizationId } = organization;
  const set = (messagesShowValue: boolean) =>
    setProgram(service.service.deps, {
      organizationId,
      program: 'award',
      unclaimedAfterDays: null,
      reminderDays: [],
      messagesShowValue,
      actor: OPERATOR,
    });
  await set(true);
  const { email } = (await sendOne('ada@example.com')).received;
  await set(false);
  for (const part of [email.html ?? '', email.text ?? ''])
    for (const phrase of ['$25.00', 'coffee']) assert.ok(part.includes(phrase), phrase);
});

const HOSTILE_NAMES = [
  'Mallory" <evil@evil.test>, "Eve',
  "Bcc: evil@evil.test, <evil@evil.test>; 'x'",
  '=?utf-8?Q?=0D=0ABcc:_evil@evil.test?=',
  '\\r\\nBcc: evil@evil.test %0d%0aBcc: evil@evil.test',
  '</bdi></td></table><a href="https://evil.test">click</a><script>alert(1)</script>',
  '<!-- "><img src=x onerror=alert(1)> {{7*7}} #{7*7} <%= 7 %>',
  '\u202e\u2066gro.elpmaxe\u202c \u200bPay\u200dPal',
  '\u200fAda\u061c \u200e\u2067Lovelace\u202b',
  'Zoë 🎁 Łukasz 日本語 شركة',
  'x'.repeat(200),
];

for (const name of HOSTILE_NAMES)
  test(`the name ${JSON.stringify(name.slice(0, 24))} adds no header or element`, async () => {
    const { received: plain } = await sendOne('plain@example.com', { recipient_name: 'Ada', sender_name: 'Acme' });
    mail.received.length = 0;
    const { received } = await sendOne('hostile@example.com', { recipient_name: name, sender_name: name });
    assert.equal(mail.received.length, 1);
    assert.deepEqual(received.to, ['hostile@example.com']);
    assert.deepEqual(headerNames(received), headerNames(plain));
    assert.deepEqual(elements(received), elements(plain));
    const { email } = received;
    assert.deepEqual(
      [email.to?.length, email.to?.[0]?.address, email.cc, email.bcc],
      [1, 'hostile@example.com', undefined, undefined],
    );
    assert.equal(email.from?.address, 'gifts@bestow.example');
    assert.match(email.from?.name ?? '', / via Bestow$/);
    for (const text of [email.subject ?? '', email.from?.name ?? '', email.text ?? '', email.html ?? ''])
      assert.doesNotMatch(text, /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    // Names are shown as text, without invisible characters.
    const visible = (text: string) => text.replace(/[\u061c\u200b\u200e\u200f\u2060\u202a-\u202e\u2066-\u2069]/g, '');
    assert.ok(visible(email.subject ?? '').startsWith(visible(name).slice(0, 30)), String(email.subject));
  });

test('mail programs never detect an address in a name', async () => {
  const name = 'evil.test http://evil.test/a www.evil.test me@evil.test';
  const { received } = await sendOne('someone@example.com', { recipient_name: name, sender_name: name });
  for (const part of [received.email.html ?? '', received.email.text ?? '']) {
    const shown = part.replace(/<title>.*<\/title>/, '');
    assert.doesNotMatch(shown, /evil\.test|evil(?:&#46;)test|http:\/\/evil|me@evil/);
    // The text looks unchanged.
    assert.ok(shown.replaceAll('\u2060', '').replaceAll('&#47;', '/').includes('evil.test http://evil.test/a'));
  }
});

test('a mail quotes the sender’s message line by line, as text without links', async () => {
  const message = '<b>Dear</b> Ada,\n\n\n\nsee evil.test/x \u202eor\r\nhttps://evil.test\nIs this real?';
  const { received } = await sendOne('ada@example.com', { message });
  const { received: plain } = await sendOne('plain@example.com', { message: 'Hello' });
  const { html = '', text = '' } = received.email;
  assert.ok(
    text
      .replaceAll('\u2060', '')
      .includes('\n\n> <b>Dear</b> Ada,\n>\n> see evil.test/x or\n> https://evil.test\n> Is this real?\n\n'),
    text,
  );
  const shown = html.replaceAll('\u2060', '');
  const lines = ['&#60;b&#62;Dear&#60;/b&#62; Ada,', '', 'see evil.test/x or', 'https://evil.test', 'Is this real?'];
  assert.ok(shown.includes(`>${lines.join('<br>\n')}</td>`), shown);
  for (const part of [html, text]) assert.doesNotMatch(part, /evil\.test|https:\/\/evil|\u202e/);
  assert.deepEqual(
    elements(received).filter((tag) => tag !== 'br'),
    elements(plain).filter((tag) => tag !== 'br'),
  );
  assert.ok(!shown.slice(shown.indexOf('<div style="display:none'), shown.indexOf('</div>')).includes('Dear'));
});

test('a refused address fails only its gift, with the reason without the address', async () => {
  mail.answer((to) => {
    if (to.startsWith('unknown')) return { code: 550, text: '5.1.1 <unknown@example.com>: no such user here' };
    return to.startsWith('full') ? { code: 552, text: '5.2.2 Over quota', at: 'content' } : 'accept';
  });
  const addresses = ['unknown@example.com', 'good@example.com', 'full@example.com'];
  const { body } = await organization.live.order(addresses.map((address) => giftTo(address)));
  assert.deepEqual(await send(), []);
  assert.deepEqual(
    mail.received.flatMap(({ to }) => to),
    ['good@example.com'],
  );
  const { body: read } = await organization.live.get(`/v1/orders/${body.order_id}`);
  for (const [index, expected] of [
    ['failed', '550 5.1.1 the address: no such user here'],
    ['sent', null],
    ['failed', '552 5.2.2 Over quota'],
  ].entries()) {
    const { gift_id, delivery } = read.gifts[index];
    const [row] = await deliveriesOf(service, gift_id);
    assert.deepEqual([row?.state, row?.reason], expected);
    assert.equal(delivery.status, row?.state);
  }
  await send();
  assert.deepEqual(mail.tried.sort(), ['full@example.com', 'good@example.com', 'unknown@example.com']);
});

for (const [address, said, kept] of [
  ["pat.o'brien@example.com", "<pat.o'brien@example.com> is busy", 'the address is busy'],
  ['ada.lovelace@example.com', "User unknown: 'ada.lovelace'", "User unknown: 'the address'"],
  ['Ada+gift@example.com', 'neither ada+GIFT@mx.example.com nor ada+gift', 'neither the address nor the address'],
  ['a@example.com', 'mail-a.example.com cannot reach a <a>', 'mail-a.example.com cannot reach the address the address'],
] as const)
  test(`removes ${address} from the server’s reason “${said}”`, async () => {
    mail.answer(() => ({ code: 451, text: `4.2.1 ${said}` }));
    const { body } = await organization.live.order([giftTo(address)]);
    const rows = () => deliveriesOf(service, body.gifts[0].gift_id);
    // The queue keeps the error as text.
    assert.deepEqual((await send()).map(String), [`Error: 451 4.2.1 ${kept}`]);
    assert.equal((await rows())[0]?.reason, `451 4.2.1 ${kept}`);
    mail.answer(() => 'accept');
    assert.deepEqual(await send(), []);
  });

test('the sandbox never sends messages', async () => {
  const { body } = await organization.sandbox.order([giftTo('someone@example.com')]);
  assert.deepEqual(await send(), []);
  assert.deepEqual(mail.tried, []);
  const [row] = await deliveriesOf(service, body.gifts[0].gift_id);
  assert.deepEqual([row?.state, row?.tries], ['pending', 0]);
});
