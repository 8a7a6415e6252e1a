import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type AmazonSns, startAmazonSns } from '../harness/amazon-sns.ts';
import {
  assertTaken,
  everything,
  providerSettings,
  type SentGift,
  sendSes,
  sentGift,
  standing,
} from '../harness/delivery-events.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

// Events of SES through SNS: https://docs.aws.amazon.com/ses/latest/dg/notification-examples.html and
// …/event-publishing-retrieving-sns-examples.html

let sns: AmazonSns;
let service: TestService;
let organization: TestOrganization;
before(async () => {
  sns = await startAmazonSns();
  service = await startTestService(providerSettings);
  organization = await service.organization();
});
after(async () => {
  await service.close();
  await sns.close();
});
afterEach(() => {
  sns.asked.length = 0;
});

const sent = () => sentGift(service, organization);
const tell = (event: unknown) => sendSes(service, sns, event);

const header = (name: string, value: string) => ({ name, value });
const mail = {
  timestamp: '2026-11-21T11:59:38.237Z',
  source: 'Acme via Bestow <gifts@example.com>',
  sourceArn: 'arn:aws:ses:eu-west-1:123456789012:identity/example.com',
  sourceIp: '127.0.3.0',
  sendingAccountId: '123456789012',
  callerIdentity: 'bestow',
  messageId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000',
  destination: ['someone@example.com'],
  headersTruncated: false,
};

/** A notification: the reference comes back in the original message's headers. */
const notification = (type: string, reference: string, more: Record<string, unknown> = {}) => ({
  notificationType: type,
  mail: {
    ...mail,
    headers: [
      header('From', 'Acme via Bestow <gifts@example.com>'),
      header('To', 'someone@example.com'),
      header('Message-ID', `<${reference}@example.com>`),
    ],
    commonHeaders: {
      from: ['gifts@example.com'],
      to: ['someone@example.com'],
      messageId: `<${reference}@example.com>`,
    },
  },
  ...more,
});

/** A published event: the reference comes back as a tag. */
const published = (type: string, reference: string, more: Record<string, unknown> = {}) => ({
  eventType: type,
  mail: { ...mail, tags: { 'ses:configuration-set': ['gifts'], delivery: [reference] } },
  ...more,
});

const bounce = (bounceType: string, bounceSubType = 'General') => ({
  bounce: {
    bounceType,
    bounceSubType,
    reportingMTA: 'dns; email.example.com',
    bouncedRecipients: [
      {
        emailAddress: 'someone@example.com',
        status: '5.1.1',
        action: 'failed',
        diagnosticCode: 'smtp; 550 5.1.1 <someone@example.com>... User',
      },
    ],
    timestamp: '2026-11-21T11:59:38.605Z',
    feedbackId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000',
    remoteMtaIp: '127.0.2.0',
  },
});

const complaint = (complaintFeedbackType: string) => ({
  complaint: {
    complainedRecipients: [{ emailAddress: 'someone@example.com' }],
    timestamp: '2026-11-21T12:40:02.012Z',
    feedbackId: '0000013786031775-fea503bc-7497-49e1-881b-a0379bb037d3-000000',
    userAgent: 'AnyCompany Feedback Loop (V0.01)',
    complaintSubType: null,
    complaintFeedbackType,
    arrivalDate: '2026-11-21T11:59:38.237Z',
  },
});

const arrival = {
  delivery: {
    timestamp: '2026-11-21T12:00:02.012Z',
    processingTimeMillis: 546,
    recipients: ['someone@example.com'],
    smtpResponse: '250 ok:  Message 64111812 accepted',
    reportingMTA: 'a8-70.smtp-out.amazonses.com',
    remoteMtaIp: '127.0.2.0',
  },
};

const failing: [event: string, type: string, more: Record<string, unknown>, reason: string][] = [
  ['a permanent bounce', 'Bounce', bounce('Permanent'), 'hard bounce'],
  ['an address that does not exist', 'Bounce', bounce('Permanent', 'NoEmail'), 'hard bounce'],
  ['an address on a list of bounces', 'Bounce', bounce('Permanent', 'OnAccountSuppressionList'), 'blocked'],
  ['an address on Amazon’s list', 'Bounce', bounce('Permanent', 'Suppressed'), 'blocked'],
  ['a recipient who wants no mail', 'Bounce', bounce('Permanent', 'UnsubscribedRecipient'), 'opted out'],
  ['a kind of permanent bounce not known yet', 'Bounce', bounce('Permanent', 'Novel'), 'hard bounce'],
  ['a full mailbox', 'Bounce', bounce('Transient', 'MailboxFull'), 'mailbox full'],
  ['a message too large', 'Bounce', bounce('Transient', 'MessageTooLarge'), 'message too large'],
  ['a content refused', 'Bounce', bounce('Transient', 'ContentRejected'), 'content refused'],
  ['an attachment refused', 'Bounce', bounce('Transient', 'AttachmentRejected'), 'content refused'],
  ['a bounce after the last try', 'Bounce', bounce('Transient'), 'unreachable'],
  ['a bounce that SES does not understand', 'Bounce', bounce('Undetermined', 'Undetermined'), 'bounced'],
  ['a complaint', 'Complaint', complaint('abuse'), 'complaint'],
  ['a virus', 'Reject', { reject: { reason: 'Bad content' } }, 'content refused'],
];

for (const [event, type, more, reason] of failing)
  test(`${event} fails the gift: ${reason}`, async () => {
    for (const format of [notification, published]) {
      const one = await sent();
      assertTaken(await tell(format(type, one.reference, more)));
      assert.deepEqual(await standing(service, one), ['failed', `failed: ${reason}`]);
    }
  });

test('a delivery event marks delivered, in both formats', async () => {
  for (const format of [notification, published]) {
    const one = await sent();
    assertTaken(await tell(format('Delivery', one.reference, arrival)));
    assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
  }
});

test('a hard bounce or complaint after the delivery fails the gift', async () => {
  for (const [type, more, reason] of [
    ['Bounce', bounce('Permanent'), 'hard bounce'],
    ['Complaint', complaint('abuse'), 'complaint'],
  ] as const) {
    const one = await sent();
    assertTaken(await tell(published('Delivery', one.reference, arrival)));
    assertTaken(await tell(published(type, one.reference, more)));
    assert.deepEqual(await standing(service, one), ['failed', `failed: ${reason}`]);
  }
});

// SES reports out-of-office replies as general transient bounces.
test('a possible out-of-office reply after the delivery changes nothing', async () => {
  for (const more of [bounce('Transient'), bounce('Undetermined', 'Undetermined')]) {
    const one = await sent();
    assertTaken(await tell(published('Delivery', one.reference, arrival)));
    await unchangedBy(one, published('Bounce', one.reference, more));
  }
});

async function unchangedBy(one: SentGift, event: unknown): Promise<void> {
  const before = await everything(service, one);
  assertTaken(await tell(event));
  assert.deepEqual(await everything(service, one), before);
}

test('temporary and recipient events change nothing', async () => {
  const one = await sent();
  const { reference } = one;
  for (const event of [
    published('Send', reference, { send: {} }),
    published('DeliveryDelay', reference, { deliveryDelay: { delayType: 'TransientCommunicationFailure' } }),
    published('Open', reference, { open: { ipAddress: '192.0.2.1', userAgent: 'Mozilla/5.0' } }),
    published('Click', reference, { click: { link: 'https://gifts.example.com/g/x' } }),
    published('Subscription', reference, { subscription: {} }),
    published('Rendering Failure', reference, { failure: { templateName: 'none' } }),
    published('Complaint', reference, complaint('not-spam')),
    published('Bounce', reference, bounce('Novel')),
    published('constructor', reference),
    { notificationType: 'AmazonSnsSubscriptionSucceeded', message: 'You have successfully subscribed.' },
  ])
    await unchangedBy(one, event);
});

test('accepts and ignores signed messages without an SES event', async () => {
  const one = await sent();
  for (const event of [null, 1, 'text', [], {}, { mail: null }, { eventType: 'Bounce' }, { mail: { tags: [] } }])
    await unchangedBy(one, event);
  const { reference } = one;
  for (const mail of [
    { tags: { delivery: reference } },
    { tags: { delivery: [[reference]] } },
    { headers: { name: 'Message-ID', value: `<${reference}@x>` } },
    { headers: [null, {}, [], 'Message-ID', { name: 'Message-ID' }, { name: 'Subject', value: reference }] },
    { commonHeaders: { messageId: `${reference} <and more>` } },
  ])
    await unchangedBy(one, { eventType: 'Bounce', mail, ...bounce('Permanent') });
});

test('finds the reference in tags, headers and common headers', async () => {
  const places: ((reference: string) => Record<string, unknown>)[] = [
    (reference) => ({ tags: { delivery: [reference] } }),
    (reference) => ({ headers: [header('X-SES-MESSAGE-TAGS', `delivery=${reference}`)] }),
    (reference) => ({ headers: [header('x-ses-message-tags', `campaign=a1, delivery=${reference}`)] }),
    (reference) => ({ headers: [header('message-id', `<${reference}@example.com>`)] }),
    (reference) => ({ commonHeaders: { messageId: `<${reference}@example.com>` } }),
    (reference) => ({ tags: { delivery: ['x'] }, commonHeaders: { messageId: `<${reference}@example.com>` } }),
  ];
  for (const place of places) {
    const one = await sent();
    assertTaken(await tell({ eventType: 'Delivery', mail: { ...mail, ...place(one.reference) }, ...arrival }));
    assert.deepEqual(await standing(service, one), ['sent', 'delivered'], JSON.stringify(place('…')));
  }
});
