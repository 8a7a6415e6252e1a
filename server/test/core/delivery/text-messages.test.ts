import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { textMessage } from '../../../src/core/delivery/text-template.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { gift } from '../../harness/api-client.ts';
import { countPending, type DeliveryRow, deliveriesOf } from '../../harness/deliveries.ts';
import { assertTaken, sendTwilio } from '../../harness/delivery-events.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openSender } from '../../harness/message-sender.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { until } from '../../harness/server-process.ts';
import { openLink, startTestService } from '../../harness/test-service.ts';
import { startTwilioServer, type TwilioAnswer } from '../../harness/twilio-server.ts';

// Twilio's real SDK against a local server with Twilio's API.

const ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`;
const credentials = {
  TWILIO_ACCOUNT_SID: ACCOUNT,
  TWILIO_AUTH_TOKEN: 'token',
  PUBLIC_URL: 'https://gifts.example.com',
};

const twilio = openForFile(startTwilioServer);
const settings = () => ({ ...credentials, TWILIO_FROM: '+12025550199', TWILIO_BASE_URL: twilio.url });
const service = openForFile(() => startTestService(settings()));
const organization = openForFile(() => service.organization());
const sender = openForFile(() => openSender(service));
beforeEach(() => {
  twilio.requests.length = 0;
  twilio.answer(() => 'accept');
});

const giftTo = (phone: string, sender_name = 'Acme') =>
  gift({ delivery: { method: 'phone', phone }, personalization: { sender_name } });

async function order(phone: string, senderName?: string): Promise<string> {
  const { status, body } = await organization.live.order([giftTo(phone, senderName)]);
  assert.equal(status, 201, JSON.stringify(body));
  return body.gifts[0].gift_id;
}

test('a live phone gift is one request with the name, the link and the callback URL', async () => {
  const giftId = await order('+1 (202) 555-0142');
  assert.deepEqual(await sender.send(), []);
  assert.equal(twilio.requests.length, 1);
  const { path, authorization, form } = twilio.requests[0] ?? assert.fail();
  assert.equal(path, `POST /2010-04-01/Accounts/${ACCOUNT}/Messages.json`);
  assert.equal(authorization, `Basic ${Buffer.from(`${ACCOUNT}:token`).toString('base64')}`);
  const { Body: body = '', StatusCallback: callback = '', ...rest } = form;
  assert.deepEqual(rest, { To: '+12025550142', From: '+12025550199' });
  assert.match(callback, /^https:\/\/gifts\.example\.com\/hooks\/sms\/twilio\?delivery=[0-9a-f]{32}l[0-9a-f]{64}$/);
  const [, link = ''] = /^Acme sent you a gift\. Open it: (https:\/\/gifts\.example\.com\/g\/[\w-]+)$/.exec(body) ?? [];
  assert.equal((await openLink(service, link)).status, 200);
  const [row] = await deliveriesOf(service, giftId);
  assert.deepEqual(row, {
    address: '+12025550142',
    state: 'sent',
    tries: 1,
    reason: null,
    provider: 'twilio',
    provider_id: `SM${'1'.padStart(32, '0')}`,
  } satisfies DeliveryRow);
});

test('a messaging service replaces the sender’s number', async (t) => {
  const more = { TWILIO_MESSAGING_SERVICE_SID: 'MG1', TWILIO_BASE_URL: `${twilio.url}/` };
  const other = await startTestService({ ...credentials, ...more });
  t.after(() => other.close());
  const otherSender = await openSender(other);
  t.after(() => otherSender.close());
  await (await other.organization()).live.order([giftTo('+12025550142')]);
  assert.deepEqual(await otherSender.send(), []);
  const { From, MessagingServiceSid } = twilio.requests[0]?.form ?? {};
  assert.deepEqual([From, MessagingServiceSid], [undefined, 'MG1']);
});

for (const [code, reason] of [
  [21211, 'invalid number'],
  [21610, 'opted out: the recipient answered STOP'],
  [21614, 'invalid number: not a mobile number'],
  [21635, 'invalid number: a landline'],
] as const)
  test(`Twilio’s ${code} fails the gift at once: ${reason}`, async () => {
    twilio.answer(() => ({ status: 400, code, message: "The 'To' number +12025550142 is refused." }));
    const giftId = await order('+12025550142');
    assert.deepEqual(await sender.send(), []);
    const [row] = await deliveriesOf(service, giftId);
    assert.deepEqual([row?.state, row?.reason], ['failed', reason]);
    const { body } = await organization.live.get(`/v1/gifts/${giftId}`);
    assert.equal(body.delivery.status, 'failed');
    await sender.send();
    assert.equal(twilio.requests.length, 1);
  });

for (const [what, answer] of [
  ['too many requests', { status: 429, code: 20429, message: 'Too Many Requests' }],
  ['an error of Twilio’s own', { status: 503, message: 'Service unavailable' }],
  ['a refused password', { status: 401, code: 20003, message: 'Authenticate' }],
  [
    'a country that the account does not allow',
    { status: 400, code: 21408, message: 'To +12025550142 is not enabled' },
  ],
  ['a connection that breaks', 'hang up'],
] as [string, TwilioAnswer][])
  test(`after ${what} the message is retried, without the number in the reason`, async () => {
    twilio.answer(() => (twilio.requests.length === 1 ? answer : 'accept'));
    const giftId = await order('+12025550142');
    assert.equal((await sender.send()).length, 1);
    const [tried] = await deliveriesOf(service, giftId);
    assert.deepEqual([tried?.state, tried?.tries], ['pending', 1]);
    assert.match(tried?.reason ?? '', /^Twilio did not accept the message/);
    assert.doesNotMatch(tried?.reason ?? '', /2025550142/);
    assert.deepEqual(await sender.send(), []);
    const [first, second] = twilio.requests;
    assert.deepEqual(second, first, 'the same message, with the same link and the same reference');
  });

test('the queue retries a text message until Twilio accepts it', async () => {
  twilio.answer(() => (twilio.requests.length <= 2 ? 'hang up' : 'accept'));
  const giftId = await order('+12025550142');
  await workUntil(service, async () => (await countPending(service)) === 0, 'sent');
  const [row] = await deliveriesOf(service, giftId);
  assert.deepEqual([row?.state, row?.tries, twilio.requests.length], ['sent', 3, 3]);
});

/** The first message, delayed by Twilio in its last attempt. */
async function lastTry() {
  twilio.answer(() => 'never');
  const giftId = await order('+12025550143');
  await service.sql(
    `update deliveries set tries = 19, created_at = created_at - interval '25 hours' where gift_id = $1`,
    [decodeId('gift', giftId)],
  );
  const sent = sender.send();
  await until(() => twilio.requests.length === 1, 'asked');
  const reference = /delivery=(\w+)$/.exec(twilio.requests[0]?.form['StatusCallback'] ?? '')?.[1] ?? '';
  return { giftId, reference, sent };
}

const arrives = async ({ reference }: { reference: string }) =>
  assertTaken(await sendTwilio(service, reference, { MessageStatus: 'delivered' }, credentials.TWILIO_AUTH_TOKEN));
const isSentElsewhere = ({ giftId }: { giftId: string }) =>
  service.sql(`update deliveries set state = 'sent' where gift_id = $1`, [decodeId('gift', giftId)]);

for (const [what, happens, states, reason] of [
  ['fails the gift', async () => {}, ['failed', 'failed'], /^Given up after a day: Twilio did not accept the message/],
  ['changes no delivered message', arrives, ['delivered', 'sent'], /^$/],
  ['changes no message sent elsewhere', isSentElsewhere, ['sent', 'sent'], /^$/],
] as const)
  test(`a lost answer in the last attempt ${what}`, async () => {
    const last = await lastTry();
    await happens(last);
    twilio.endSilence();
    assert.deepEqual(await last.sent, []);
    const [row] = await deliveriesOf(service, last.giftId);
    const { body } = await organization.live.get(`/v1/gifts/${last.giftId}`);
    assert.deepEqual([row?.state, body.delivery.status], states);
    assert.match(row?.reason ?? '', reason);
  });

const LINK = `https://gifts.example.com/g/${'Ab3_'.repeat(19)}`;
const GSM = /^[@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà\n\r]*$/;
type Extras = { note?: string; lastDay?: string; stopLink?: string; organizationName?: string; link?: string };
const write = (senderName: string, { note, lastDay, stopLink, organizationName, link = LINK }: Extras = {}) =>
  textMessage({
    senderName,
    recipientName: 'Ada',
    organizationName,
    note,
    value: undefined,
    pictureUrl: null,
    lastDay,
    stopLink,
    link,
  });

test('shortens long names, so that a text message fits two parts', () => {
  for (const name of ['Acme', 'J.P. Morgan', 'x'.repeat(200), 'Å'.repeat(200), '[{~}]'.repeat(40)]) {
    const length = [...write(name)].reduce((sum, letter) => sum + ('^{}\\[~]|€'.includes(letter) ? 2 : 1), 0);
    assert.ok(length <= 306, `${length} of ${name}`);
    assert.match(write(name).replace(/[{}[\]~]/g, ''), GSM);
  }
  const repeated = ['日本語'.repeat(60), '🎁'.repeat(100), '👩‍👩‍👧‍👦'.repeat(30), 'شركة الهدايا '.repeat(10)];
  for (const name of ['Žofia', ...repeated]) {
    assert.ok(write(name).length <= 134, `${write(name).length} of ${name}`);
    assert.ok(write(name).endsWith(` ${LINK}`));
  }
  assert.match(write('x'.repeat(200)), /^x{37}\.\.\. sent you a gift/);
  assert.match(write('日本語'.repeat(60)), /^日本語.*…: a gift for you/);
});

test('a text message names the last day and the stop link if two parts have room', () => {
  const extras = { lastDay: '31 December 2026', stopLink: `${LINK}/stop` };
  const whole = `Acme sent you a gift. Claim it by 31 December 2026: ${LINK} Stop reminders: ${LINK}/stop`;
  assert.equal(write('Acme', extras), whole);
  assert.equal(write('Acme', { lastDay: extras.lastDay }).length <= 160, true);
  const long = write('x'.repeat(200), extras);
  assert.ok(long.length <= 306 && long.endsWith(whole.slice('Acme'.length)), long);
  // Two links and a date do not fit; the stop link goes before the date.
  const stopLink = `${LINK}/${'a'.repeat(40)}`;
  assert.equal(
    write('Acme', { ...extras, stopLink }),
    `Acme sent you a gift. Open it: ${LINK} Stop reminders: ${stopLink}`,
  );
  const short = LINK.replace('gifts.example.com', 'b.co');
  const nothing = {
    recipientName: undefined,
    organizationName: undefined,
    note: undefined,
    value: undefined,
    pictureUrl: null,
  };
  assert.equal(
    textMessage({ senderName: '日本語', ...nothing, ...extras, link: short }),
    `日本語: a gift for you until 31 December 2026 ${short}`,
  );
  assert.equal(write('日本語', extras), `日本語: a gift for you ${LINK}`);
});

test('a text message names the organization if there is room', () => {
  const organizationName = 'Globex';
  assert.equal(write('Ada', { organizationName }), `Ada (Globex) sent you a gift. Open it: ${LINK}`);
  const long = 'x'.repeat(36);
  assert.match(write(long, { organizationName }), /^x{36} sent you/);
  assert.match(write('Ada', { organizationName: '日本語' }), /^Ada sent you/);
});

test('a text message says that the gift has a message if two parts have room', () => {
  const extras = { note: 'Secret', lastDay: '31 December 2026', stopLink: `${LINK}/stop` };
  assert.equal(write('Acme', { note: 'Secret' }), `Acme sent you a gift with a message. Open it: ${LINK}`);
  assert.equal(
    write('Acme', extras),
    `Acme sent you a gift with a message. Claim it by 31 December 2026: ${LINK} Stop reminders: ${LINK}/stop`,
  );
  assert.ok(!write('Acme', { ...extras, stopLink: `${LINK}/${'a'.repeat(40)}` }).includes('message'));
  const short = write('日本語', { note: 'Secret', link: LINK.replace('gifts.example.com', 'b.co') });
  assert.match(short, /^日本語: a gift with a message for you https:/);
  assert.match(write('日本語', { note: 'Secret' }), /^日本語: a gift for you https:/);
});

test('a text message has no link except the gift’s', () => {
  for (const name of ['evil.test', 'http://evil.test/x', 'me@evil.test', 'www.evil.test', 'evil。test', 'Žvil.test']) {
    const others = write(name).replace(LINK, '');
    assert.doesNotMatch(others, /\w[.@。]\w|\/\/\S|:\/\//, others);
  }
});

test('a name in a text message turns no text around it', async () => {
  await order('+12025550149', '\u202eAda\u2067 \u200fShop\u061c');
  assert.deepEqual(await sender.send(), []);
  assert.match(twilio.requests[0]?.form['Body'] ?? '', /^Ada Shop \(Test Organization\) sent you a gift\. /);
});
