import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAmazonSns } from '../../harness/amazon-sns.ts';
import {
  assertTaken,
  basic,
  callSes,
  providerSettings,
  sendPostmark,
  sendSendgrid,
  sendSes,
  sendTwilio,
  sentGift,
  standing,
} from '../../harness/delivery-events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { allowConnections } from '../../harness/test-database.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

// Webhook routes without a configured provider, above their limits, and without the database.

const sns = openForFile(startAmazonSns);
const service = openForFile(() => startTestService(providerSettings));

const addresses = ['/hooks/email/ses', '/hooks/email/sendgrid', '/hooks/email/postmark', '/hooks/sms/twilio'];

/** Signed calls of each provider for the same delivery. */
const signedCalls = (to: TestService, reference: string) => [
  () => sendSes(to, sns, { eventType: 'Delivery', mail: { tags: { delivery: [reference] } } }),
  () => sendSendgrid(to, [{ event: 'delivered', delivery: reference }]),
  () => sendPostmark(to, { RecordType: 'Delivery', Metadata: { delivery: reference } }),
  () => sendTwilio(to, reference, { MessageStatus: 'delivered' }),
];

test('signed calls of an unconfigured provider are 401', async () => {
  const unset = Object.fromEntries(Object.keys(providerSettings).map((name) => [name, '']));
  const one = await sentGift(service, await service.organization());
  const other = await service.second(unset);
  for (const send of signedCalls(other, one.reference)) assertRefused(await send(), 'api_key_invalid');
  for (const password of ['', 'undefined'])
    assertRefused(await sendPostmark(other, '{}', basic('postmark', password)), 'api_key_invalid');
  assert.deepEqual(await standing(service, one), ['sent', 'pending']);
});

test('the refusal names the setting to check', async () => {
  const messages = [];
  for (const address of addresses) messages.push((await service.api().post(address, '{}')).body.error.message);
  assert.deepEqual(messages, [
    'This call could not be verified as Amazon SNS’s. Check SES_TOPIC_ARN and the webhook URL in Amazon SNS.',
    'This call could not be verified as SendGrid’s. Check SENDGRID_WEBHOOK_PUBLIC_KEY and the webhook URL in SendGrid.',
    'This call could not be verified as Postmark’s. Check POSTMARK_WEBHOOK_PASSWORD and the webhook URL in Postmark.',
    'This call could not be verified as Twilio’s. Check TWILIO_AUTH_TOKEN and the webhook URL in Twilio.',
  ]);
});

test('refuses API keys and other methods', async () => {
  const { sandbox, live } = await service.organization();
  for (const address of addresses) {
    for (const client of [sandbox, live]) assertRefused(await client.post(address, '{}'), 'api_key_invalid');
    const answer = await service.api().get(address);
    assertRefused(answer, 'resource_missing');
    assert.equal(answer.headers.get('allow'), 'POST');
  }
});

test('calls are limited by address like every public route', async () => {
  const other = await service.second({ RATE_LIMIT_ADDRESS_BURST: '5', RATE_LIMIT_ADDRESS_PER_SECOND: '1' });
  for (const address of addresses) assertRefused(await other.api().post(address, '{}'), 'api_key_invalid');
  assertTaken(await sendPostmark(other, '{}'));
  for (const address of addresses) assertRefused(await other.api().post(address, '{}'), 'rate_limit_exceeded');
  assertRefused(await sendPostmark(other, '{}'), 'rate_limit_exceeded');
  await service.clock.advance(1_000);
  assertTaken(await sendPostmark(other, '{}'));
});

test('after 200 unverified calls an address is rate limited', async () => {
  const other = await service.second({ TRUST_PROXY: '127.0.0.1' });
  const headers = { Authorization: basic('postmark', 'a guess') };
  const guess = (from: string) =>
    other.api().post('/hooks/email/postmark', '{}', { ...headers, 'X-Forwarded-For': from });
  for (let call = 0; call < 200; call += 1) assertRefused(await guess('192.0.2.1'), 'api_key_invalid');
  assertRefused(await guess('192.0.2.1'), 'rate_limit_exceeded');
  assertRefused(await guess('192.0.2.2'), 'api_key_invalid');
  assertTaken(await sendPostmark(other, '{}'));
  await service.clock.advance(50);
  assertRefused(await guess('192.0.2.1'), 'api_key_invalid');
  assertRefused(await guess('192.0.2.1'), 'rate_limit_exceeded');
});

test('without the database, calls are 500, and retries succeed later', async () => {
  const organization = await service.organization();
  for (const index of addresses.keys()) {
    const one = await sentGift(service, organization);
    const send = signedCalls(service, one.reference)[index] ?? assert.fail();
    await allowConnections(service.target, false);
    assertRefused(await send(), 'internal_error');
    // Calls without events need no database.
    assertTaken(await sendPostmark(service, '{}'));
    assertRefused(await callSes(service, '{}'), 'api_key_invalid');
    await allowConnections(service.target, true);
    assertTaken(await send());
    assert.deepEqual(await standing(service, one), ['sent', 'delivered']);
  }
});
