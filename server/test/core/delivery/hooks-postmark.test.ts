import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortenReference } from '../../../src/platform/messaging/reference.ts';
import {
  assertTaken,
  assertUnchanged,
  basic,
  providerSettings,
  sendPostmark,
  sentGift,
  standing,
} from '../../harness/delivery-events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// Postmark's webhooks: https://postmarkapp.com/developer/webhooks/bounce-webhook

const service = openForFile(() => startTestService(providerSettings));
const organization = openForFile(() => service.organization());

const sent = () => sentGift(service, organization);

const bounce = (delivery: string, Type: string) => ({
  RecordType: Type === 'SpamComplaint' ? 'SpamComplaint' : 'Bounce',
  ID: 692560173,
  Type,
  TypeCode: 1,
  Name: 'Hard bounce',
  Tag: 'gift',
  MessageID: '2706ee8a-737c-4285-b032-ccd317af53ed',
  Metadata: { delivery },
  ServerID: 23,
  MessageStream: 'outbound',
  Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
  Details: 'Test bounce details',
  Email: 'someone@example.com',
  From: 'gifts@example.com',
  BouncedAt: '2026-11-21T12:00:04.0000000Z',
  DumpAvailable: true,
  Inactive: true,
  CanActivate: true,
  Subject: 'Acme sent you a gift',
  Content: '<Full dump of bounce>',
});

const arrival = (delivery: string) => ({
  MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
  Recipient: 'someone@example.com',
  DeliveredAt: '2026-11-21T12:00:01Z',
  Details: 'Test delivery webhook details',
  Tag: 'gift',
  ServerID: 23,
  Metadata: { delivery },
  RecordType: 'Delivery',
  MessageStream: 'outbound',
});

test('accepts the short and the long form of the reference', async () => {
  const one = await sent();
  const short = shortenReference(one.reference);
  assert.ok(short.length <= 80 && short !== one.reference, `${short.length} characters`);
  assertTaken(await sendPostmark(service, arrival(short)));
  assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
  assertTaken(await sendPostmark(service, bounce(short, 'HardBounce')));
  assert.deepEqual(await standing(service, one), ['failed', 'failed: hard bounce']);
  const altered = `${short.startsWith('A') ? 'B' : 'A'}${short.slice(1)}`;
  await assertUnchanged(service, one, async () => {
    for (const wrong of [short.slice(1), `${short}A`, 'A'.repeat(66), '_'.repeat(66), altered])
      assertTaken(await sendPostmark(service, arrival(wrong)));
  });
});

const failing = {
  HardBounce: 'hard bounce',
  SoftBounce: 'mailbox full or closed',
  BadEmailAddress: 'invalid address',
  Blocked: 'blocked',
  DMARCPolicy: 'blocked',
  ManuallyDeactivated: 'blocked',
  Unconfirmed: 'blocked',
  SpamNotification: 'complaint',
  SpamComplaint: 'complaint',
  VirusNotification: 'content refused',
  SMTPApiError: 'refused by the provider',
  Unknown: 'bounced',
};

for (const [type, reason] of Object.entries(failing))
  test(`the bounce ${type} fails the gift: ${reason}`, async () => {
    const one = await sent();
    assertTaken(await sendPostmark(service, bounce(one.reference, type)));
    assert.deepEqual(await standing(service, one), ['failed', `failed: ${reason}`]);
  });

test('an unknown bounce after the delivery changes nothing', async () => {
  const one = await sent();
  assertTaken(await sendPostmark(service, arrival(one.reference)));
  assertTaken(await sendPostmark(service, bounce(one.reference, 'Unknown')));
  assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
});

test('temporary bounces, replies, other records and invalid bodies change nothing', async () => {
  const one = await sent();
  const Metadata = { delivery: one.reference };
  const types = [
    'Transient',
    'DnsError',
    'AutoResponder',
    'AddressChange',
    'ChallengeVerification',
    'OpenRelayTest',
    'Subscribe',
    'Unsubscribe',
    'InboundError',
    'TemplateRenderingFailed',
    'Novel',
    'constructor',
  ];
  const events = [
    ...types.map((type) => bounce(one.reference, type)),
    { RecordType: 'Open', FirstOpen: true, Metadata },
    { RecordType: 'Click', ClickLocation: 'HTML', Metadata },
    { RecordType: 'SubscriptionChange', SuppressSending: true, SuppressionReason: 'HardBounce', Metadata },
    { RecordType: 'Novel', Metadata },
    { RecordType: ['Delivery'], Metadata },
    { RecordType: 'Delivery', Metadata: one.reference },
    { RecordType: 'Delivery', Metadata: null },
    { RecordType: 'Delivery' },
    [arrival(one.reference)],
    'null',
    'no JSON',
    '',
  ];
  await assertUnchanged(service, one, async () => {
    for (const event of events) assertTaken(await sendPostmark(service, event));
  });
});

test('a wrong or missing password is 401 and changes nothing', async () => {
  const one = await sent();
  const password = providerSettings.POSTMARK_WEBHOOK_PASSWORD;
  const right = basic('postmark', password);
  const failure = bounce(one.reference, 'HardBounce');
  const wrongs = [
    basic('postmark', ''),
    basic('postmark', `${password} `),
    basic('postmark', password.slice(1)),
    basic('postmark', 'a pass'),
    basic('Postmark', password),
    basic('', password),
    basic(`postmark:${password}`, ''),
    right.replace('Basic', 'Bearer'),
    right.replace('Basic ', 'Basic'),
    `${right}, ${right}`,
    'Basic',
    'Basic !',
    'Basic ====',
    `Bearer ${organization.keys.sandbox}`,
    '',
  ];
  await assertUnchanged(service, one, async () => {
    for (const wrong of wrongs) assertRefused(await sendPostmark(service, failure, wrong), 'api_key_invalid');
    assertRefused(await service.api().post('/hooks/email/postmark', failure), 'api_key_invalid');
  });
});

test('the authentication scheme is case-insensitive', async () => {
  const one = await sent();
  const authorization = basic('postmark', providerSettings.POSTMARK_WEBHOOK_PASSWORD).replace('Basic', 'bASIC');
  assertTaken(await sendPostmark(service, arrival(one.reference), authorization));
  assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
});
