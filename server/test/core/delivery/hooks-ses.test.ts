import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAmazonSns } from '../../harness/amazon-sns.ts';
import {
  assertTaken,
  assertUnchanged,
  providerSettings,
  sendSes,
  sentGift,
  standing,
} from '../../harness/delivery-events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

// Events of SES through SNS: https://docs.aws.amazon.com/ses/latest/dg/notification-examples.html and
// …/event-publishing-retrieving-sns-examples.html

const sns = openForFile(startAmazonSns);
const service = openForFile(() => startTestService(providerSettings));
const organization = openForFile(() => service.organization());

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
    bouncedRecipients: [{ emailAddress: 'someone@example.com', status: '5.1.1', action: 'failed' }],
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

// SES reports out-of-office replies as general transient bounces.
test('after the delivery, hard bounces and complaints count, transient bounces do not', async () => {
  for (const [type, more, standingAfter] of [
    ['Bounce', bounce('Permanent'), ['failed', 'failed: hard bounce']],
    ['Complaint', complaint('abuse'), ['failed', 'failed: complaint']],
    ['Bounce', bounce('Transient'), ['sent', 'delivered']],
    ['Bounce', bounce('Undetermined', 'Undetermined'), ['sent', 'delivered']],
  ] as const) {
    const one = await sent();
    assertTaken(await tell(published('Delivery', one.reference, arrival)));
    assertTaken(await tell(published(type, one.reference, more)));
    assert.deepEqual(await standing(service, one), standingAfter);
  }
});

test('temporary and recipient events and messages without an event change nothing', async () => {
  const one = await sent();
  const { reference } = one;
  const events = [
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
    { eventType: 'Bounce', bounce: { bounceType: { toString: 'x' }, bounceSubType: { toString: 'x' } } },
    null,
    1,
    'text',
    [],
    {},
    { mail: null },
    { eventType: 'Bounce' },
    { mail: { tags: [] } },
  ];
  const mails = [
    { tags: { delivery: reference } },
    { tags: { delivery: [[reference]] } },
    { headers: { name: 'Message-ID', value: `<${reference}@x>` } },
    { headers: [null, {}, [], 'Message-ID', { name: 'Message-ID' }, { name: 'Subject', value: reference }] },
    { commonHeaders: { messageId: `${reference} <and more>` } },
    { headers: [{ name: { toString: 'x' } }, { name: 'Message-ID', value: { toString: 'x' } }] },
  ];
  await assertUnchanged(service, one, async () => {
    for (const event of events) assertTaken(await tell(event));
    for (const part of mails) assertTaken(await tell({ eventType: 'Bounce', mail: part, ...bounce('Permanent') }));
  });
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
  for (const type of ['eventType', 'notificationType'])
    for (const place of places) {
      const one = await sent();
      assertTaken(await tell({ [type]: 'Delivery', mail: { ...mail, ...place(one.reference) }, ...arrival }));
      assert.deepEqual(await standing(service, one), ['sent', 'delivered'], JSON.stringify(place('…')));
    }
});
