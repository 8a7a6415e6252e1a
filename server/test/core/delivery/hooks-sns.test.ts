import assert from 'node:assert/strict';
import { afterEach, type TestContext, test } from 'node:test';
import {
  CERTIFICATE_PATH,
  SNS_ORIGIN,
  type SnsAnswer,
  startAmazonSns,
  subscribeUrl,
  TOPIC_ARN,
} from '../../harness/amazon-sns.ts';
import { createCertificate } from '../../harness/certificate.ts';
import {
  assertTaken,
  assertUnchanged,
  callSes,
  providerSettings,
  type SentGift,
  sentGift,
  standing,
} from '../../harness/delivery-events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

// Accepts only calls that the configured topic signed:
// https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html

const sns = openForFile(startAmazonSns);
const service = openForFile(() => startTestService(providerSettings));
const organization = openForFile(() => service.organization());
let one: SentGift;
afterEach(() => {
  sns.asked.length = 0;
  sns.answer();
});

/** An SES event that fails this gift. */
const failureOf = ({ reference }: SentGift) =>
  JSON.stringify({
    eventType: 'Bounce',
    mail: { tags: { delivery: [reference] } },
    bounce: { bounceType: 'Permanent', bounceSubType: 'General' },
  });

const notice = (more: Record<string, string> = {}, after: Record<string, string> = {}) =>
  sns.message('Notification', { Message: failureOf(one), ...more }, after);

/** Starts a service without a cached certificate. */
async function startFresh(t: TestContext): Promise<TestService> {
  const fresh = await service.second();
  t.after(() => fresh.close());
  return fresh;
}

test('accepts both signature versions and downloads the certificate once', async (t) => {
  const fresh = await startFresh(t);
  for (const SignatureVersion of ['1', '2'])
    for (const more of [{}, { Subject: 'Amazon SES Email Event Notification' }]) {
      one = await sentGift(service, organization);
      assertTaken(await callSes(fresh, notice({ SignatureVersion, ...more })));
      assert.deepEqual(await standing(service, one), ['failed', 'failed: hard bounce']);
    }
  assert.deepEqual(sns.asked, [SNS_ORIGIN + CERTIFICATE_PATH]);
});

test('twenty simultaneous calls download the certificate once', async (t) => {
  one = await sentGift(service, organization);
  const fresh = await startFresh(t);
  for (const answer of await Promise.all(Array.from({ length: 20 }, () => callSes(fresh, notice()))))
    assertTaken(answer);
  assert.deepEqual(sns.asked, [SNS_ORIGIN + CERTIFICATE_PATH]);
  assert.deepEqual(await standing(service, one), ['failed', 'failed: hard bounce']);
});

test('calls of other topics are 401 without a certificate download', async () => {
  one = await sentGift(service, organization);
  const elsewhere = (url: string) => notice({ SigningCertURL: url });
  const foreignArn = 'arn:aws:sns:eu-west-1:999999999999:email-events';
  const refused: Record<string, Record<string, unknown> | string> = {
    'another topic': notice({ TopicArn: foreignArn }),
    'a topic’s name that begins alike': notice({ TopicArn: `${TOPIC_ARN}2` }),
    'another host': elsewhere(`https://evil.example${CERTIFICATE_PATH}`),
    'another region': elsewhere(`https://sns.us-east-1.amazonaws.com${CERTIFICATE_PATH}`),
    'another service of Amazon’s': elsewhere(`https://s3.eu-west-1.amazonaws.com${CERTIFICATE_PATH}`),
    'a host that begins alike': elsewhere(`${SNS_ORIGIN}.evil.example${CERTIFICATE_PATH}`),
    'a user before the host': elsewhere(`${SNS_ORIGIN}@evil.example${CERTIFICATE_PATH}`),
    'no TLS': elsewhere(`http://sns.eu-west-1.amazonaws.com${CERTIFICATE_PATH}`),
    'another path': elsewhere(`${SNS_ORIGIN}/?Action=Publish`),
    'a path upwards': elsewhere(`${SNS_ORIGIN}/..${CERTIFICATE_PATH}`),
    'a query': elsewhere(`${SNS_ORIGIN}${CERTIFICATE_PATH}?x`),
    'a line break at the end': elsewhere(`${SNS_ORIGIN}${CERTIFICATE_PATH}\n`),
    'no certificate named': { ...notice(), SigningCertURL: undefined },
    'certificates in a list': { ...notice(), SigningCertURL: [SNS_ORIGIN + CERTIFICATE_PATH] },
    'the name that Lambda uses': { ...elsewhere(''), SigningCertUrl: SNS_ORIGIN + CERTIFICATE_PATH },
    'no signature': { ...notice(), Signature: undefined },
    'a message that has another type': { ...notice(), Message: JSON.parse(failureOf(one)) },
    'the event alone, as raw delivery sends it': failureOf(one),
    'no JSON': 'Type=Notification',
    nothing: '',
    'a list': '[]',
    'the null': 'null',
  };
  await assertUnchanged(service, one, async () => {
    for (const [what, message] of Object.entries(refused)) {
      const answer = await callSes(service, message, { 'x-amz-sns-message-type': 'Notification' });
      assert.equal(answer.status, 401, what);
      assertRefused(answer, 'api_key_invalid');
    }
  });
  assert.deepEqual(sns.asked, []);
});

test('a wrong or missing signature is 401 and changes nothing', async (t) => {
  one = await sentGift(service, organization);
  const stranger = await startAmazonSns();
  t.after(() => stranger.close());
  const { reference } = await sentGift(service, organization);
  const signature = notice()['Signature'] ?? assert.fail();
  const refused: Record<string, string>[] = [
    notice({}, { Message: failureOf({ ...one, reference }) }),
    notice({}, { MessageId: '00000000-2a5c-472c-8df2-7ff2be2b3b1b' }),
    notice({}, { Timestamp: '2026-11-22T12:00:01.000Z' }),
    notice({}, { Subject: 'added' }),
    notice({}, { SignatureVersion: '2' }),
    notice({}, { SignatureVersion: '3' }),
    notice({ SignatureVersion: '' }),
    notice({}, { Type: 'SubscriptionConfirmation', SubscribeURL: subscribeUrl(TOPIC_ARN), Token: 'x' }),
    notice({}, { Type: 'constructor' }),
    notice({}, { Signature: '' }),
    notice({}, { Signature: '!' }),
    notice({}, { Signature: signature.slice(4) }),
    notice({}, { Signature: `AAAA${signature.slice(4)}` }),
    stranger.message('Notification', { Message: failureOf(one) }),
    // Signed for another topic, then relabelled.
    notice({ TopicArn: 'arn:aws:sns:eu-west-1:999999999999:email-events' }, { TopicArn: TOPIC_ARN }),
  ];
  await stranger.close();
  await assertUnchanged(service, one, async () => {
    for (const message of refused)
      assertRefused(await callSes(service, message, { 'x-amz-sns-message-type': 'Notification' }), 'api_key_invalid');
  });
});

test('a call without SNS’s header is 401 before its body is read', async () => {
  for (const type of ['', 'Novel'])
    assertRefused(await callSes(service, 'x'.repeat(2_000_000), { 'x-amz-sns-message-type': type }), 'api_key_invalid');
});

test('a failed certificate download is 500 and is not cached', async (t) => {
  one = await sentGift(service, organization);
  const fresh = await startFresh(t);
  const troubles: SnsAnswer[] = [
    (_request, response) => response.writeHead(503).end('<Error/>'),
    (_request, response) => response.end('<html>'),
    (_request, response) => response.end('x'.repeat(70_000)),
    (_request, response) => response.writeHead(302, { Location: CERTIFICATE_PATH }).end(),
    (request) => request.socket.destroy(),
    // Never answers; the service times out after three seconds.
    () => undefined,
  ];
  await assertUnchanged(service, one, async () => {
    for (const trouble of troubles) {
      sns.answer(trouble);
      assertRefused(await callSes(fresh, notice()), 'internal_error');
    }
  });
  sns.answer();
  assertTaken(await callSes(fresh, notice()));
  assert.deepEqual(await standing(service, one), ['failed', 'failed: hard bounce']);
});

test('an unknown certificate URL is 401; the right one still works', async () => {
  one = await sentGift(service, organization);
  const madeUp = `${SNS_ORIGIN}/SimpleNotificationService-${'0'.repeat(32)}.pem`;
  assertRefused(await callSes(service, notice({ SigningCertURL: madeUp })), 'api_key_invalid');
  assert.deepEqual(sns.asked, [madeUp]);
  assertTaken(await callSes(service, notice()));
});

test('a fifth simultaneous certificate download is refused with 429', async (t) => {
  one = await sentGift(service, organization);
  const fresh = await startFresh(t);
  const waiting: (() => void)[] = [];
  sns.answer((_request, response) => waiting.push(() => response.writeHead(403).end()));
  const named = (digit: number) =>
    notice({ SigningCertURL: `${SNS_ORIGIN}/SimpleNotificationService-${String(digit).repeat(32)}.pem` });
  const four = [1, 2, 3, 4].map((digit) => callSes(fresh, named(digit)));
  await until(() => waiting.length === 4, 'four are asked for');
  assertRefused(await callSes(fresh, named(5)), 'rate_limit_exceeded');
  for (const answer of waiting) answer();
  for (const answer of await Promise.all(four)) assertRefused(answer, 'api_key_invalid');
});

test('refuses a certificate that does not match the signature', async (t) => {
  one = await sentGift(service, organization);
  const { pem } = createCertificate('sns.amazonaws.com');
  sns.answer((_request, response) => response.end(pem));
  assertRefused(await callSes(await startFresh(t), notice()), 'api_key_invalid');
});

test('confirms a subscription only at Amazon’s host, and accepts its end', async () => {
  const question = (more: Record<string, string> = {}) => sns.message('SubscriptionConfirmation', more);
  assertTaken(await callSes(service, question()));
  assert.ok(sns.asked.includes(subscribeUrl(TOPIC_ARN)), sns.asked.join());

  sns.asked.length = 0;
  for (const SubscribeURL of [
    subscribeUrl(TOPIC_ARN).replace('https:', 'http:'),
    subscribeUrl(TOPIC_ARN).replace(SNS_ORIGIN, 'https://evil.example'),
    subscribeUrl(TOPIC_ARN).replace(SNS_ORIGIN, 'http://169.254.169.254'),
    subscribeUrl(TOPIC_ARN).replace('ConfirmSubscription', 'Unsubscribe'),
    'nonsense',
  ])
    assertTaken(await callSes(service, question({ SubscribeURL })));
  const TopicArn = 'arn:aws:sns:eu-west-1:999999999999:email-events';
  assertRefused(
    await callSes(service, question({ TopicArn, SubscribeURL: subscribeUrl(TopicArn) })),
    'api_key_invalid',
  );
  assertRefused(await callSes(service, { ...question(), SubscribeURL: subscribeUrl(TopicArn) }), 'api_key_invalid');
  assertTaken(await callSes(service, sns.message('UnsubscribeConfirmation')));
  assert.deepEqual(sns.asked, []);
});

test('a refused confirmation is 500, so that SNS retries', async () => {
  sns.answer((_request, response) => response.writeHead(500).end());
  assertRefused(await callSes(service, sns.message('SubscriptionConfirmation')), 'internal_error');
});
