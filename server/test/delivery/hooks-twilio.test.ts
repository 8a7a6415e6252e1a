import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gift } from '../harness/api-client.ts';
import {
  assertTaken,
  everything,
  providerSettings,
  sendTwilio,
  sentGift,
  standing,
  twilioSignature,
} from '../harness/delivery-events.ts';
import { assertRefused } from '../harness/raw-http.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

// Twilio's status callbacks (https://www.twilio.com/docs/messaging/guides/track-outbound-message-status), signed:
// https://www.twilio.com/docs/usage/security#validating-requests

let service: TestService;
let organization: TestOrganization;
before(async () => {
  service = await startTestService(providerSettings);
  organization = await service.organization();
});
after(() => service.close());

const sent = () => sentGift(service, organization, gift({ delivery: { method: 'phone', phone: '+12025550143' } }));

const status = (MessageStatus: string, more: Record<string, string> = {}) => ({
  SmsSid: 'SM2xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  SmsStatus: MessageStatus,
  MessageStatus,
  To: '+12025550143',
  MessageSid: 'SM2xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  AccountSid: providerSettings.TWILIO_ACCOUNT_SID,
  From: providerSettings.TWILIO_FROM,
  ApiVersion: '2010-04-01',
  RawDlrDoneDate: '2611211200',
  ...more,
});

test('the statuses delivered and read mark the message delivered', async () => {
  for (const name of ['delivered', 'read']) {
    const one = await sent();
    assertTaken(await sendTwilio(service, one.reference, status(name)));
    assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
  }
});

const failing: [ErrorCode: string, reason: RegExp][] = [
  ['21211', /^failed: invalid number/],
  ['21610', /^failed: opted out/],
  ['21614', /^failed: invalid number/],
  ['30003', /^failed: unreachable/],
  ['30004', /^failed: blocked/],
  ['30005', /^failed: unknown number/],
  ['30006', /^failed: unreachable/],
  ['30007', /^failed: blocked/],
  ['30008', /^failed: not delivered \(Twilio’s error 30008\)$/],
  ['constructor', /^failed: not delivered$/],
  ['', /^failed: not delivered$/],
];

for (const [ErrorCode, reason] of failing)
  test(`error ${ErrorCode || 'without a code'} fails the gift: ${reason.source}`, async () => {
    for (const name of ['undelivered', 'failed']) {
      const one = await sent();
      assertTaken(await sendTwilio(service, one.reference, status(name, ErrorCode === '' ? {} : { ErrorCode })));
      const [shown, row, ...more] = await standing(service, one);
      assert.deepEqual([shown, more], ['failed', []]);
      assert.match(row ?? '', reason);
    }
  });

test('intermediate and unknown statuses change nothing', async () => {
  const one = await sent();
  const before = await everything(service, one);
  for (const name of ['accepted', 'scheduled', 'queued', 'sending', 'sent', 'receiving', 'canceled', 'constructor', ''])
    assertTaken(await sendTwilio(service, one.reference, status(name, { ErrorCode: '30003' })));
  assertTaken(await sendTwilio(service, one.reference, {}));
  assert.deepEqual(await everything(service, one), before);
});

test('a wrong signature is 401 and changes nothing', async () => {
  const one = await sent();
  const before = await everything(service, one);
  const base = service.service.deps.publicUrl();
  const path = `/hooks/sms/twilio?delivery=${one.reference}`;
  const fields = status('undelivered', { ErrorCode: '30004' });
  const right = twilioSignature(base + path, fields);
  const call = (signature: string | undefined, body: Record<string, string> | string = fields, at = path) =>
    service.api().post(at, typeof body === 'string' ? body : new URLSearchParams(body).toString(), {
      'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      ...(signature === undefined ? {} : { 'X-Twilio-Signature': signature }),
    });
  const other = await sent();
  const answers = [
    await sendTwilio(service, one.reference, fields, 'another token'),
    await call(undefined),
    await call(''),
    await call('nonsense'),
    await call(`${right}=`),
    await call(right.slice(1)),
    await call(right.toLowerCase()),
    await call(right, { ...fields, ErrorCode: '30007' }),
    await call(right, { ...fields, More: '1' }),
    await call(right, ''),
    await call(right, fields, path.replace(one.reference, other.reference)),
    await call(right, fields, `${path}&more=1`),
    await call(right, fields, '/hooks/sms/twilio'),
    await call(twilioSignature(`http://evil.example${path}`, fields)),
    await call(right, '&='.repeat(400_000)),
    await call(right, 'a&'.repeat(400_000)),
  ];
  for (const answer of answers) assertRefused(answer, 'api_key_invalid');
  assert.deepEqual(await everything(service, one), before);
  assertTaken(await call(right));
  assert.deepEqual((await standing(service, one))[0], 'failed');
});

test('verifies the signature with PUBLIC_URL, not the Host header', async () => {
  for (const PUBLIC_URL of [
    'https://gifts.example.com',
    'https://gifts.example.com:8443/shop',
    'http://gifts.example.com',
  ]) {
    const other = await service.second({ PUBLIC_URL });
    try {
      const one = await sent();
      assertTaken(await sendTwilio(other, one.reference, status('delivered')));
      assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
    } finally {
      await other.close();
    }
  }
});

test('verifies repeated and non-ASCII fields as Twilio signs them', async () => {
  const one = await sent();
  const path = `/hooks/sms/twilio?delivery=${one.reference}`;
  const signature = twilioSignature(service.service.deps.publicUrl() + path, {
    A: '1A2',
    MessageStatus: 'delivered',
    N: 'Zoë',
  });
  const body = 'N=Zo%C3%AB&A=2&MessageStatus=delivered&A=1';
  assertTaken(await service.api().post(path, body, { 'X-Twilio-Signature': signature }));
  assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
});
