import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gift } from '../../harness/api-client.ts';
import {
  assertTaken,
  assertUnchanged,
  providerSettings,
  sendTwilio,
  sentGift,
  standing,
  twilioSignature,
} from '../../harness/delivery-events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService } from '../../harness/test-service.ts';

// Twilio's status callbacks (https://www.twilio.com/docs/messaging/guides/track-outbound-message-status), signed:
// https://www.twilio.com/docs/usage/security#validating-requests

const service = openForFile(() => startTestService(providerSettings));
const organization = openForFile(() => service.organization());

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
  const names = ['accepted', 'scheduled', 'queued', 'sending', 'sent', 'receiving', 'canceled', 'constructor', ''];
  await assertUnchanged(service, one, async () => {
    for (const fields of [...names.map((name) => status(name, { ErrorCode: '30003' })), {}])
      assertTaken(await sendTwilio(service, one.reference, fields));
  });
});

test('a refusal because of the account whose message id has NUL is accepted', async () => {
  const { reference } = await sent();
  assertTaken(
    await sendTwilio(service, reference, { ...status('failed', { ErrorCode: '30002' }), MessageSid: 'SM\0' }),
  );
});

test('a wrong signature is 401 and changes nothing', async () => {
  const one = await sent();
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
  const signatures = [undefined, '', 'nonsense', `${right}=`, right.slice(1), right.toLowerCase()];
  const bodies = ['', '&='.repeat(400_000), 'a&'.repeat(400_000), { ...fields, ErrorCode: '30007' }];
  const paths = [path.replace(one.reference, other.reference), `${path}&more=1`, '/hooks/sms/twilio'];
  await assertUnchanged(service, one, async () => {
    const answers = [
      await sendTwilio(service, one.reference, fields, 'another token'),
      await call(twilioSignature(`http://evil.example${path}`, fields)),
      await call(right, { ...fields, More: '1' }),
    ];
    for (const signature of signatures) answers.push(await call(signature));
    for (const body of bodies) answers.push(await call(right, body));
    for (const at of paths) answers.push(await call(right, fields, at));
    for (const answer of answers) assertRefused(answer, 'api_key_invalid');
  });
  assertTaken(await call(right));
  assert.deepEqual((await standing(service, one))[0], 'failed');
});

test('verifies the signature with PUBLIC_URL, not the Host header', async () => {
  const host = '//gifts.example.com';
  for (const PUBLIC_URL of [`https:${host}`, `https:${host}:8443/shop`, `http:${host}`]) {
    const one = await sent();
    assertTaken(await sendTwilio(await service.second({ PUBLIC_URL }), one.reference, status('delivered')));
    assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
  }
});

test('verifies repeated and non-ASCII fields as Twilio signs them', async () => {
  const one = await sent();
  const path = `/hooks/sms/twilio?delivery=${one.reference}`;
  const signed = { A: '1A2', MessageStatus: 'delivered', N: 'Zoë' };
  const signature = twilioSignature(service.service.deps.publicUrl() + path, signed);
  const body = 'N=Zo%C3%AB&A=2&MessageStatus=delivered&A=1';
  assertTaken(await service.api().post(path, body, { 'X-Twilio-Signature': signature }));
  assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
});
