import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { gift } from '../../harness/api-client.ts';
import {
  assertTaken,
  assertUnchanged,
  providerSettings,
  type SentGift,
  sendPostmark,
  sendSendgrid,
  sentGift,
  sentGifts,
  standing,
} from '../../harness/delivery-events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// SendGrid's event webhook, with events as https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event shows
// them, and signed as …/getting-started-event-webhook-security-features says.

const service = openForFile(() => startTestService(providerSettings));
const other = openForFile(() => service.second());
const organization = openForFile(() => service.organization({ sandbox: 100_000_000 }));

const sent = () => sentGift(service, organization);

/** An event; SendGrid adds unique arguments to its fields. */
const event = (name: string, delivery: string, more: Record<string, unknown> = {}) => ({
  email: 'someone@example.com',
  timestamp: 1795262390,
  'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
  event: name,
  category: ['gifts'],
  sg_event_id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
  sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
  delivery,
  ...more,
});

const bounce = (status: string, classification: string, more: Record<string, unknown> = {}) => ({
  reason: '550 5.1.1 The email account that you tried to reach does not exist.',
  status,
  type: 'bounce',
  bounce_classification: classification,
  ip: '168.1.1.1',
  tls: 1,
  ...more,
});

const failing: [what: string, name: string, more: Record<string, unknown>, reason: string][] = [
  ['an address that does not exist', 'bounce', bounce('5.1.1', 'Invalid Address'), 'hard bounce'],
  ['a domain that does not exist', 'bounce', bounce('5.1.2', 'Invalid Address'), 'invalid address'],
  ['a full mailbox', 'bounce', bounce('5.2.2', 'Mailbox Unavailable', { type: 'blocked' }), 'mailbox full'],
  ['a closed mailbox', 'bounce', bounce('5.0.0', 'Mailbox Unavailable'), 'mailbox full or closed'],
  ['a message too large', 'bounce', bounce('5.3.4', 'Content'), 'message too large'],
  ['a content refused', 'bounce', bounce('5.7.1', 'Content', { type: 'blocked' }), 'content refused'],
  ['a sender of bad repute', 'bounce', bounce('5.7.1', 'Reputation', { type: 'blocked' }), 'blocked'],
  ['too much mail', 'bounce', bounce('4.2.0', 'Frequency or Volume Too High', { type: 'blocked' }), 'blocked'],
  ['a technical failure', 'bounce', bounce('5.4.4', 'Technical Failure', { type: 'blocked' }), 'unreachable'],
  ['a block of no class', 'bounce', bounce('5.0.0', 'Unclassified', { type: 'blocked' }), 'blocked'],
  ['72 hours without success', 'bounce', { type: 'expired', reason: 'unable to get mx info' }, 'unreachable'],
  ['a bounce without details', 'bounce', {}, 'bounced'],
  ['an address that bounced before', 'dropped', { reason: 'Bounced Address', status: '5.0.0' }, 'hard bounce'],
  ['an invalid address', 'dropped', { reason: 'Invalid' }, 'invalid address'],
  ['a recipient who wants no mail', 'dropped', { reason: 'Unsubscribed Address' }, 'opted out'],
  ['a recipient who complained before', 'dropped', { reason: 'Spam Reporting Address' }, 'opted out'],
  ['another drop', 'dropped', { reason: 'Recipient List over Package Quota' }, 'refused by the provider'],
  ['a complaint', 'spamreport', {}, 'complaint'],
];

test('failure events in one call fail their gifts with a reason', async () => {
  const failed: { one: SentGift; what: string; reason: string }[] = [];
  const events: unknown[] = [];
  for (const [what, name, more, reason] of failing) {
    const one = await sent();
    failed.push({ one, what, reason });
    events.push(event(name, one.reference, more));
  }
  assertTaken(await sendSendgrid(service, events));
  for (const { one, what, reason } of failed)
    assert.deepEqual(await standing(service, one), ['failed', `failed: ${reason}`], what);
});

test('temporary and recipient events change nothing', async () => {
  const one = await sent();
  const names = ['processed', 'deferred', 'open', 'click', 'unsubscribe', 'group_unsubscribe', 'group_resubscribe'];
  const events = [...names, 'novel', 'constructor'].map((name) =>
    event(name, one.reference, { response: '400 try again later', attempt: '5' }),
  );
  await assertUnchanged(service, one, async () => assertTaken(await sendSendgrid(service, events)));
});

test('without a unique argument, the Message-ID identifies the message', async () => {
  const one = await sent();
  const { delivery, ...rest } = event('delivered', one.reference, { 'smtp-id': `<${one.reference}@example.com>` });
  assert.ok(delivery);
  assertTaken(await sendSendgrid(service, [rest]));
  assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
});

test('of several events for one message in one call, the failure wins', async () => {
  const [first, second] = [await sent(), await sent()];
  const fails = (to: SentGift) => event('bounce', to.reference, bounce('5.1.1', 'Invalid Address'));
  const arrives = (to: SentGift) => event('delivered', to.reference, { response: '250 OK' });
  const events = [fails(first), arrives(first), arrives(second), fails(second), fails(first)];
  assertTaken(await sendSendgrid(service, events));
  for (const one of [first, second]) assert.deepEqual(await standing(service, one), ['failed', 'failed: hard bounce']);
});

test('accepts and ignores signed bodies without an event list', async () => {
  const one = await sent();
  const { reference } = one;
  const bodies: unknown[] = [
    '',
    'no JSON',
    '[',
    'null',
    '"text"',
    '{}',
    '[[[]]]',
    '[null,1,"x",true,{}]',
    event('bounce', reference),
    [{ event: ['bounce'], delivery: reference }],
    [{ event: 'bounce', delivery: [reference] }],
    [{ event: 'bounce', delivery: { reference } }],
    [{ event: 'bounce', status: { toString: 'x' } }],
  ];
  await assertUnchanged(service, one, async () => {
    for (const body of bodies) assertTaken(await sendSendgrid(service, body));
  });
});

test('a wrong or missing signature is 401 and changes nothing', async () => {
  const one = await sent();
  const events = [event('bounce', one.reference)];
  const body = JSON.stringify(events);
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const NAME = 'X-Twilio-Email-Event-Webhook-';
  const header = (name: string, value: string) => ({ headers: { [NAME + name]: value } });
  const wrong: Parameters<typeof sendSendgrid>[2][] = [
    { key },
    // Without the line break that is part of what SendGrid signs.
    { altered: body },
    { altered: `${body}\r\n `.replace('bounce', 'dropped') },
    header('Timestamp', '1795262401'),
    header('Timestamp', ''),
    header('Timestamp', '1795262400 '.repeat(3)),
    header('Signature', ''),
    header('Signature', 'AAAA'),
    header('Signature', 'MAYCAQACAQA='),
    header('Signature', 'MAYCAQECAQE='),
    header('Signature', '!'),
    header('Signature', 'M'.repeat(10_000)),
  ];
  await assertUnchanged(service, one, async () => {
    for (const more of wrong) assertRefused(await sendSendgrid(service, events, more), 'api_key_invalid');
    assertRefused(await service.api().post('/hooks/email/sendgrid', events), 'api_key_invalid');
  });
});

// SendGrid retries for a day with the same signature.
test('accepts a signature from yesterday', async () => {
  const one = await sent();
  const yesterday = String(service.clock.now() / 1000 - 86_400);
  assertTaken(await sendSendgrid(service, [event('delivered', one.reference)], { timestamp: yesterday }));
  assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
});

test('accepts a body of 1 MiB; a larger one is 413', async () => {
  assertRefused(await sendPostmark(service, ' '.repeat(1_048_577)), 'request_body_too_large');
  const one = await sent();
  const body = JSON.stringify([event('delivered', one.reference)]);
  assertRefused(await sendSendgrid(service, body.padEnd(1_048_577)), 'request_body_too_large');
  assert.deepEqual(await standing(service, one), ['sent', 'pending']);
  assertTaken(await sendSendgrid(service, body.padEnd(1_048_576)));
  assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
});

test('thousands of events in simultaneous calls settle all gifts', async () => {
  const gifts: SentGift[] = [];
  for (let order = 0; order < 30; order += 1)
    gifts.push(...(await sentGifts(service, organization, new Array(10).fill(gift()))));
  const isLost = (index: number) => index % 3 === 0;
  const told = (name: string, index: number) => ({ event: name, delivery: gifts[index]?.reference });
  const indexes = [...gifts.keys()];
  const batch = [
    ...indexes.map((index) => told('delivered', index)),
    ...indexes.filter(isLost).map((index) => told('bounce', index)),
    // Unknown messages.
    ...Array.from({ length: 5_000 }, (_, index) => ({ event: 'bounce', delivery: `${index}l`.padStart(97, 'f') })),
  ];
  const batches = [batch, batch.toReversed(), batch, batch.toReversed()];
  const answers = await Promise.all(batches.map((one, index) => sendSendgrid(index < 2 ? service : other, one)));
  for (const answer of answers) assertTaken(answer);
  const states = await service.sql<{ shown: string }>(
    `select g.delivery_state || ' ' || concat_ws(': ', d.state, d.reason) as shown
     from gifts g join deliveries d using (gift_id) where gift_id = any($1) order by gift_id`,
    [gifts.map(({ uuid }) => uuid)],
  );
  assert.deepEqual(
    states.map(({ shown }) => shown),
    indexes.map((index) => (isLost(index) ? 'failed failed: bounced' : 'delivered delivered')),
  );
});

test('events that fail for one organization are recorded for the others', async () => {
  const troubled = await service.organization();
  const [fine, late] = [await sent(), await sentGift(service, troubled)];
  const delivered = () =>
    sendSendgrid(
      service,
      [late, fine].map(({ reference }) => event('delivered', reference)),
    );
  await service.sql(`create function fail() returns trigger language plpgsql as $$begin raise 'down'; end$$`);
  const isTroubled = `new.organization_id = '${troubled.organizationUuid}'`;
  await service.sql(
    `create trigger fail before update on gifts for each row when (${isTroubled}) execute function fail()`,
  );
  assert.equal((await delivered()).status, 500);
  assert.deepEqual(await standing(service, fine), ['sent', 'delivered']);
  assert.deepEqual(await standing(service, late), ['sent', 'pending']);
  await service.sql('drop function fail cascade');
  assertTaken(await delivered());
  assert.deepEqual(await standing(service, late), ['sent', 'delivered']);
});
