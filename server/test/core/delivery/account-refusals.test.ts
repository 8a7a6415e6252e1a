import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { checkWork } from '../../../src/surfaces/doctor/check-work.ts';
import { gift } from '../../harness/api-client.ts';
import { deliveriesOf } from '../../harness/deliveries.ts';
import { assertTaken, providerSettings, sendPostmark, sendTwilio } from '../../harness/delivery-events.ts';
import { workOn, workUntil } from '../../harness/mail-server.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';
import { startTwilioServer } from '../../harness/twilio-server.ts';

// A provider's refusal of the operator's account is retried like an outage; only one of the recipient fails the gift.

const { POSTMARK_WEBHOOK_PASSWORD, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM } = providerSettings;
const { mail, service, organization, send } = openMailService({ POSTMARK_WEBHOOK_PASSWORD, RESEND_LIMIT: '1' });

async function order(email: string): Promise<string> {
  const { status, body } = await organization.live.order([gift({ delivery: { method: 'email', email } })]);
  assert.equal(status, 201, JSON.stringify(body));
  return body.gifts[0].gift_id;
}

const statusOf = async (giftId: string) => (await organization.live.get(`/v1/gifts/${giftId}`)).body.delivery.status;
const redirect = (giftId: string, email: string) =>
  organization.live.put(`/v1/gifts/${giftId}/delivery`, { method: 'email', email });

for (const [code, text, at] of [
  [550, '5.4.5 Daily user sending limit exceeded', 'content'],
  [554, 'Message rejected: Email address is not verified', 'content'],
  [554, '5.2.252 SendAsDenied; not allowed to send as this sender', 'content'],
  [550, '5.7.0 Account suspended', 'content'],
  [552, '5.5.2 Syntax error', 'content'],
  [554, '5.7.1 Relaying denied', 'recipient'],
  [550, '5.1.90 Recipient limit exceeded', 'recipient'],
  [550, '5.1.8 Sender address rejected', 'recipient'],
  [550, 'Requested action not taken', 'recipient'],
] as const)
  test(`${code} ${text} is retried until the account is corrected`, async () => {
    mail.answer(() => ({ code, text, at }));
    const giftId = await order('ada@example.com');
    assert.equal((await send()).length, 1);
    const [tried] = await deliveriesOf(service, giftId);
    assert.deepEqual([tried?.state, tried?.tries, tried?.reason], ['pending', 1, `${code} ${text}`]);
    assert.equal(await statusOf(giftId), 'sent');
    mail.answer(() => 'accept');
    assert.deepEqual(await send(), []);
    assert.equal(mail.received.length, 1);
  });

for (const status of [
  '5.1.0',
  '5.1.1',
  '5.1.2',
  '5.1.3',
  '5.1.4',
  '5.1.5',
  '5.1.6',
  '5.1.10',
  '5.2.1',
  '5.2.2',
  '5.2.3',
])
  test(`550 ${status} fails the gift at once`, async () => {
    mail.answer(() => ({ code: 550, text: `${status} No such mailbox` }));
    const giftId = await order('nobody@example.com');
    assert.deepEqual(await send(), []);
    assert.equal(await statusOf(giftId), 'failed');
  });

test('a redirect counts only once a provider accepted its message', async () => {
  mail.answer(() => ({ code: 550, text: '5.1.1 Unknown' }));
  const giftId = await order('first@example.com');
  await send();
  for (const email of ['second@example.com', 'third@example.com']) {
    assert.equal((await redirect(giftId, email)).status, 200);
    await send();
    assert.equal(await statusOf(giftId), 'failed');
  }
  mail.answer(() => ({ code: 550, text: '5.4.5 Daily limit' }));
  assert.equal((await redirect(giftId, 'good@example.com')).status, 200);
  for (let attempt = 0; attempt < 26; attempt += 1) {
    await send();
    await service.clock.jump(3_600_000);
  }
  assert.equal(await statusOf(giftId), 'failed');
  mail.answer(() => 'accept');
  assert.equal((await redirect(giftId, 'fifth@example.com')).status, 200);
  assert.deepEqual(await send(), []);
  const [delivery] = mail.received[0]?.messageId.split('@') ?? [];
  const bounce = { RecordType: 'Bounce', Type: 'HardBounce', Metadata: { delivery }, Description: 'Unknown' };
  assertTaken(await sendPostmark(service, bounce));
  assert.equal(await statusOf(giftId), 'failed');
  const { status, body } = await redirect(giftId, 'sixth@example.com');
  assert.deepEqual([status, body.error.code], [422, 'gift_resend_limit_reached']);
});

test('doctor names the account’s refusal, and whether other messages are accepted', async () => {
  const { config, database } = service.service.deps;
  const refusals = async () =>
    (await checkWork({ config, clock: service.clock, database })).filter(({ check }) => check === 'refused emails');
  await service.clock.jump(3_600_000);
  mail.answer(() => ({ code: 451, text: '4.7.1 Greylisted' }));
  await order('grey@example.com');
  await send();
  assert.deepEqual(await refusals(), []);
  mail.answer(() => ({ code: 550, text: '5.4.5 Daily user sending limit exceeded' }));
  await send();
  const [found] = await refusals();
  assert.deepEqual(
    [found?.state, found?.found],
    [
      'fault',
      'every message of the last 15 minutes was refused by the mail server of SMTP_URL: 550 5.4.5 Daily user sending limit exceeded',
    ],
  );
  // The alert fires while the provider accepts others.
  mail.answer((to) => (to === 'grey@example.com' ? { code: 550, text: '5.4.5 Daily limit' } : 'accept'));
  await order('green@example.com');
  await send();
  const [other] = await refusals();
  assert.deepEqual(
    [other?.state, other?.found],
    ['warning', 'some messages are refused by the mail server of SMTP_URL: 550 5.4.5 Daily limit'],
  );
  mail.answer(() => 'accept');
  await send();
  assert.deepEqual(await refusals(), []);
});

const twilio = openForFile(startTwilioServer);
const texting = openForFile(() =>
  startTestService({ TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM, TWILIO_BASE_URL: twilio.url }),
);

for (const ErrorCode of ['30002', '30034'])
  test(`a text message that Twilio refuses later with ${ErrorCode} is sent again`, async () => {
    twilio.requests.length = 0;
    const { live } = await texting.organization();
    const { body } = await live.order([gift({ delivery: { method: 'phone', phone: '+12025550143' } })]);
    const [{ gift_id: giftId }] = body.gifts;
    const row = async () => (await deliveriesOf(texting, giftId))[0];
    const sid = (n: number) => `SM${String(n).padStart(32, '0')}`;
    await workUntil(texting, async () => (await row())?.state === 'sent', 'sent');
    const reference = /delivery=(\w+)$/.exec(twilio.requests[0]?.form['StatusCallback'] ?? '')?.[1] ?? '';
    const refused = { MessageStatus: 'undelivered', MessageSid: sid(1), ErrorCode };
    for (let call = 0; call < 2; call += 1) assertTaken(await sendTwilio(texting, reference, refused));
    assert.deepEqual([(await row())?.state, (await row())?.provider_id], ['pending', sid(1)]);
    assert.match((await row())?.reason ?? '', new RegExp(`error ${ErrorCode}`));
    assert.equal((await live.get(`/v1/gifts/${giftId}`)).body.delivery.status, 'sent');
    await workUntil(texting, async () => (await row())?.state === 'sent', 'sent again');
    assertTaken(await sendTwilio(texting, reference, refused));
    assert.deepEqual([(await row())?.state, (await row())?.provider_id, twilio.requests.length], ['sent', sid(2), 2]);
    assertTaken(await sendTwilio(texting, reference, { MessageStatus: 'delivered', MessageSid: sid(2) }));
    assert.equal((await row())?.state, 'delivered');
  });

test('a text message that Twilio refuses later for a day fails its gift', async () => {
  twilio.requests.length = 0;
  const { live } = await texting.organization();
  const { body } = await live.order([gift({ delivery: { method: 'phone', phone: '+12025550143' } })]);
  const [{ gift_id: giftId }] = body.gifts;
  const row = async () => (await deliveriesOf(texting, giftId))[0];
  await workUntil(texting, async () => (await row())?.state === 'sent', 'sent');
  const reference = /delivery=(\w+)$/.exec(twilio.requests[0]?.form['StatusCallback'] ?? '')?.[1] ?? '';
  await texting.sql(
    `update deliveries set tries = 20, created_at = created_at - interval '25 hours' where gift_id = $1`,
    [decodeId('gift', giftId)],
  );
  const MessageSid = (await row())?.provider_id ?? '';
  assertTaken(await sendTwilio(texting, reference, { MessageStatus: 'failed', MessageSid, ErrorCode: '30002' }));
  await texting.clock.jump(3_600_000);
  await workUntil(texting, async () => (await row())?.state === 'failed', 'given up');
  assert.match((await row())?.reason ?? '', /^Given up after a day: .*the account is suspended$/);
  assert.equal((await live.get(`/v1/gifts/${giftId}`)).body.delivery.status, 'failed');
  assert.equal(twilio.requests.length, 1);
});

test('with a public address, a text message without Twilio waits instead of a hidden outbox', async (t) => {
  const elsewhere = await startTestService({ PUBLIC_URL: 'https://gifts.example.com' });
  t.after(() => elsewhere.close());
  const { live } = await elsewhere.organization();
  const { body } = await live.order([gift({ delivery: { method: 'phone', phone: '+12025550143' } })]);
  await workOn(elsewhere, 3);
  const [row] = await deliveriesOf(elsewhere, body.gifts[0].gift_id);
  assert.deepEqual([row?.state, row?.provider, row?.tries], ['pending', null, 0]);
});
