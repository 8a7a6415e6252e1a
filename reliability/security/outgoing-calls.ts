// Runs in the network namespace of run-security.ts. A service gets URLs in every field and must only call its SMTP server and
// Twilio, which run on this machine. The exit code is 1 if it tries another address.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAmazonSns, TOPIC_ARN } from '../../server/test/harness/amazon-sns.ts';
import { createApiClient, gift, linkGift } from '../../server/test/harness/api-client.ts';
import { startMailServer } from '../../server/test/harness/mail-server.ts';
import { bestow, serve, temporaryDirectory, until } from '../../server/test/harness/server-process.ts';
import { startTwilioServer } from '../../server/test/harness/twilio-server.ts';
import { watchNetwork, whomTried } from './network-watch.ts';

/** URLs that the service must not fetch, by IP address and by name. */
const URLS = [
  'http://192.0.2.10/latest/meta-data/',
  'https://192.0.2.11:8443/x?y=z',
  'http://evil.example/x',
  'ftp://192.0.2.12/x',
  'file:///etc/passwd',
  '//192.0.2.13/x',
  'http://3221226005/',
  'http://[::ffff:192.0.2.14]/',
];

let sent = 0;
const cleanUp: (() => Promise<void>)[] = [];

/** Sends a request; the answer does not matter. */
async function send(address: string, method: string, path: string, headers: Record<string, string>, body?: string) {
  sent += 1;
  const response = await fetch(address + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
}

async function sendOrders(address: string, key: string, url: string): Promise<void> {
  const api = createApiClient(address, key);
  const personalization = { recipient_name: url, sender_name: url };
  const order = await api.order([
    gift({ delivery: { method: 'email', email: 'ada@evil.example' }, personalization }),
    gift({ delivery: { method: 'phone', phone: '+12025550142' }, personalization }),
    { ...linkGift(), personalization },
  ]);
  assert.equal(order.status, 201, JSON.stringify(order.body));
  sent += 1;
  const path = new URL(order.body.gifts[2].delivery.link).pathname;
  for (const act of ['open', 'claim', 'reveal'])
    await send(
      address,
      'POST',
      `${path}/${act}`,
      { referer: url, 'content-type': 'application/x-www-form-urlencoded' },
      `url=${url}`,
    );
  await send(address, 'GET', path, { referer: url });
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': url, 'content-type': 'application/json' };
  for (const body of [
    { gifts: [gift({ category: url })] },
    { gifts: [gift({ delivery: { method: 'email', email: url } })] },
    { gifts: [gift({ delivery: { method: 'phone', phone: url } })] },
    { gifts: [gift({ webhook_url: url, artwork: url })], callback_url: url, $ref: url, $schema: url },
  ])
    await send(address, 'POST', '/v1/orders', headers, JSON.stringify(body));
  for (const query of [`starting_after=${url}`, `url=${url}`, `callback=${url}`])
    await send(address, 'GET', `/v1/gifts?${query}`, headers);
  for (const name of [
    'referer',
    'origin',
    'x-forwarded-host',
    'x-forwarded-for',
    'x-original-url',
    'forwarded',
    'x-callback-url',
  ])
    await send(address, 'GET', '/v1/orders', { ...headers, [name]: url });
}

/** Calls the portal's sign-in and those of its calls that need no session. */
async function sendToPortal(address: string, url: string): Promise<void> {
  const headers = { origin: address, 'content-type': 'application/json', referer: url };
  for (const path of [
    '/email-otp/send-verification-otp',
    '/sign-in/email-otp',
    '/two-factor/verify-totp',
    '/passkey/verify-authentication',
  ])
    await send(
      address,
      'POST',
      `/portal/api/auth${path}?callbackURL=${encodeURIComponent(url)}`,
      headers,
      JSON.stringify({
        email: 'admin@evil.example',
        type: 'sign-in',
        otp: url,
        callbackURL: url,
        image: url,
        response: { id: url },
      }),
    );
  for (const path of [
    '/portal',
    `/portal/${url}`,
    `/portal/api/me?url=${url}`,
    '/docs',
    '/catalog',
    `/artwork/${encodeURIComponent(url)}`,
  ])
    await send(address, 'GET', path, headers);
}

/** Forged webhook events that name addresses for their proof. */
async function sendNews(address: string, url: string, sns: Awaited<ReturnType<typeof startAmazonSns>>): Promise<void> {
  for (const type of ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'])
    for (const after of [{ SigningCertURL: url }, { SigningCertURL: url, SubscribeURL: url }, { TopicArn: url }])
      await send(
        address,
        'POST',
        '/hooks/email/ses',
        { 'x-amz-sns-message-type': type, 'x-amz-sns-topic-arn': TOPIC_ARN },
        JSON.stringify(sns.message(type, {}, after as Record<string, string>)),
      );
  for (const path of ['/hooks/email/postmark', '/hooks/email/sendgrid', '/hooks/sms/twilio'])
    await send(
      address,
      'POST',
      path,
      { 'x-twilio-signature': url, authorization: url },
      `url=${url}&StatusCallback=${url}`,
    );
}

async function serveAndSend(): Promise<void> {
  watchNetwork();
  const dataDir = await temporaryDirectory({ after: (act) => void cleanUp.push(act) });
  const [mail, twilio, sns] = [await startMailServer(), await startTwilioServer(), await startAmazonSns()];
  cleanUp.push(
    () => mail.close(),
    () => twilio.close(),
    () => sns.close(),
  );
  const server = serve(dataDir, {
    LOG_LEVEL: 'warn',
    METRICS_PORT: '0',
    SMTP_URL: mail.url,
    MAIL_FROM: 'gifts@bestow.example',
    TWILIO_ACCOUNT_SID: `AC${'0123456789abcdef'.repeat(2)}`,
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_FROM: '+12025550199',
    TWILIO_BASE_URL: twilio.url,
    SES_TOPIC_ARN: TOPIC_ARN,
    POSTMARK_WEBHOOK_PASSWORD: 'password of the test',
  });
  const { address, liveKey = '' } = await server.ready();
  const run = async (...args: string[]) => (await bestow([...args, '--json'], { DATA_DIR: dataDir }).ended).stdout;
  const [organization] = JSON.parse(await run('org', 'list')) as { organization_id: string }[];
  const id = organization?.organization_id ?? '';
  await run('member', 'add', '--org', id, '--email', 'admin@evil.example', '--role', 'admin');
  await run(
    'balance',
    'add',
    '--org',
    id,
    '--environment',
    'live',
    '--amount',
    '1900000',
    '--reference',
    URLS[0] ?? '',
  );
  for (const url of URLS) {
    await sendOrders(address, liveKey, url);
    await sendToPortal(address, url);
    await sendNews(address, url, sns);
  }
  await until(() => mail.received.length >= URLS.length && twilio.requests.length >= URLS.length, 'all messages sent');
  // Waits for work in the background.
  await sleep(Number(process.env['SECURITY_WATCH_MS'] ?? 5_000));
  const tried = whomTried();
  const control = await tryToBeSeen(address, sns);
  server.signal('SIGTERM');
  const { stdout, code } = await server.ended;
  assert.equal(code, 0, stdout);
  const messages = mail.received.length + twilio.requests.length;
  process.stdout.write(`${JSON.stringify({ sent, messages, tried, control })}\n`);
  assert.deepEqual(tried, [], 'the service tried to reach somebody');
}

/** Positive control: the watch sees a connection, and the service's look-up of Amazon's host. */
async function tryToBeSeen(address: string, sns: Awaited<ReturnType<typeof startAmazonSns>>): Promise<string[]> {
  const socket = connect(80, '192.0.2.99').on('error', () => undefined);
  await until(() => whomTried().some((one) => one.includes('192.0.2.99')), 'a connection that is seen');
  socket.destroy();
  const body = JSON.stringify(sns.message('Notification', { Message: '{}' }));
  const headers = { 'x-amz-sns-message-type': 'Notification', 'x-amz-sns-topic-arn': TOPIC_ARN };
  await send(address, 'POST', '/hooks/email/ses', headers, body);
  const seen = whomTried();
  assert.ok(
    seen.some((one) => one.includes(' 53')),
    `the look-up of Amazon’s name is seen: ${seen}`,
  );
  return ['tcp 192.0.2.99 80', ...seen];
}

try {
  await serveAndSend();
} finally {
  for (const act of cleanUp.reverse()) await act();
}
