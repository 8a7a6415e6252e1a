import assert from 'node:assert/strict';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { gift } from '../harness/api-client.ts';
import { countPending, deliveriesOf } from '../harness/deliveries.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { openSender } from '../harness/message-sender.ts';
import { createPortalClient } from '../harness/portal-client.ts';
import { startTestService, type TestOrganization } from '../harness/test-service.ts';
import { startTwilioServer, type TwilioServer } from '../harness/twilio-server.ts';

/** Settings cap the messages per organization and per phone number. */

const HOUR_MS = 3_600_000;
/** A message counts for its window plus 1/600 of it. */
const LONGER = 601 / 600;

let mail: MailServer;
let twilio: TwilioServer;
before(async () => {
  [mail, twilio] = [await startMailServer(), await startTwilioServer()];
});
beforeEach(() => {
  mail.received.length = 0;
  mail.tried.length = 0;
  twilio.requests.length = 0;
  twilio.answer(() => 'accept');
  mail.answer(() => 'accept');
});
after(async () => {
  await mail.close();
  await twilio.close();
});

async function start(t: TestContext, variables: Record<string, string>) {
  const service = await startTestService({
    SMTP_URL: mail.url,
    MAIL_FROM: 'gifts@bestow.example',
    TWILIO_ACCOUNT_SID: `AC${'0123456789abcdef'.repeat(2)}`,
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_FROM: '+12025550199',
    TWILIO_BASE_URL: twilio.url,
    ...variables,
  });
  t.after(() => service.close());
  const sender = await openSender(service);
  t.after(() => sender.close());
  const { send } = sender;
  /** Sends what the caps allow; this many messages wait. */
  const leave = async (count: number) => {
    assert.equal((await send()).length, count);
    assert.equal(await countPending(service), count);
  };
  return { service, send, leave };
}

const text = (phone: string) => gift({ delivery: { method: 'phone', phone } });
const email = (address: string) => gift({ delivery: { method: 'email', email: address } });

async function order({ live }: TestOrganization, ...gifts: object[]): Promise<string[]> {
  const { status, body } = await live.order(gifts);
  assert.equal(status, 201, JSON.stringify(body));
  return body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
}

test('caps text messages per number and day over all organizations', async (t) => {
  const { service, leave } = await start(t, { TEXTS_PER_NUMBER_PER_DAY: '2' });
  const [one, two] = [await service.organization(), await service.organization()];
  const phone = '+12025550142';
  const [, , third = ''] = await order(one, text(phone), text(phone), text(phone));
  await order(two, text(phone), text('+12025550143'), email('ada@example.com'));
  await leave(2);
  const to = () => twilio.requests.map(({ form }) => form['To']);
  assert.deepEqual(to().sort(), [phone, phone, '+12025550143'].sort());
  assert.equal(mail.received.length, 1);
  const reason = (await deliveriesOf(service, third))[0]?.reason ?? '';
  assert.ok(reason === '' || reason.includes('TEXTS_PER_NUMBER_PER_DAY'), reason);
  assert.ok(!reason.includes(phone));
  const ofPhone = () => to().filter((number) => number === phone).length;
  for (const hours of [13, 10]) {
    await service.clock.jump(hours * HOUR_MS);
    await leave(2);
    assert.equal(ofPhone(), 2, 'the count does not fade within the day');
  }
  await service.clock.jump((24 * LONGER - 23) * HOUR_MS);
  await leave(0);
  assert.equal(ofPhone(), 4);
});

test('caps messages per organization and hour without delaying others', async (t) => {
  const { service, leave } = await start(t, { MESSAGES_PER_ORGANIZATION_PER_HOUR: '3' });
  const [one, two] = [await service.organization(), await service.organization()];
  const addresses = [1, 2, 3].map((n) => email(`one${n}@example.com`));
  await order(one, ...addresses, text('+12025550142'), text('+12025550143'));
  await order(two, email('two@example.com'));
  await leave(2);
  assert.equal(mail.received.length + twilio.requests.length, 4);
  assert.ok(mail.received.some(({ to }) => to[0] === 'two@example.com'));
  await service.clock.jump(HOUR_MS / 2);
  await leave(2);
  assert.equal(mail.received.length + twilio.requests.length, 4, 'the count does not fade within the hour');
  await service.clock.jump((LONGER - 1 / 2) * HOUR_MS);
  await leave(0);
  assert.equal(mail.received.length + twilio.requests.length, 6);
});

test('a refused message does not count', async (t) => {
  const { service, leave } = await start(t, { TEXTS_PER_NUMBER_PER_DAY: '1', MESSAGES_PER_ORGANIZATION_PER_HOUR: '2' });
  const one = await service.organization();
  twilio.answer(() => (twilio.requests.length === 1 ? { status: 503, text: '{"message":"try later"}' } : 'accept'));
  mail.answer(() => (mail.tried.length < 2 ? { code: 451, text: '4.7.1 Come back later' } : 'accept'));
  await order(one, text('+12025550144'), email('later@example.com'));
  await leave(2);
  await leave(1);
  await leave(0);
  assert.deepEqual([twilio.requests.length, mail.tried.length, mail.received.length], [2, 3, 1]);
  const [third = ''] = await order(one, email('third@example.com'));
  await leave(1);
  const [waiting] = await deliveriesOf(service, third);
  assert.match(waiting?.reason ?? '', /MESSAGES_PER_ORGANIZATION_PER_HOUR/);
});

test('a message counts if the provider’s answer was lost', async (t) => {
  const { service, leave } = await start(t, { TEXTS_PER_NUMBER_PER_DAY: '1' });
  const one = await service.organization();
  twilio.answer(() => (twilio.requests.length === 1 ? 'hang up' : 'accept'));
  const [id = ''] = await order(one, text('+12025550145'));
  await leave(1);
  await leave(1);
  assert.match((await deliveriesOf(service, id))[0]?.reason ?? '', /TEXTS_PER_NUMBER_PER_DAY/);
  assert.equal(twilio.requests.length, 1);
});

test('an organization mails twenty invitations at once, then one a minute', async (t) => {
  const { service } = await start(t, { RATE_LIMIT_ADDRESS_PER_SECOND: '100000' });
  const [one, two] = [await service.organization(), await service.organization()];
  const admin = await createPortalClient(service, 'admin@example.com');
  const invite = ({ organizationId }: TestOrganization, email: string) =>
    admin.call('POST', `/organizations/${organizationId}/members`, { email, role: 'member' });
  const answers = await Promise.all(Array.from({ length: 22 }, (_, n) => invite(one, `${n}@example.com`)));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 2);
  const message = 'Too many invitations at once. Try again in 1 minute.';
  for (const { status, body, headers } of refused) {
    assert.equal(status, 429);
    assert.deepEqual(body.error, { code: 'too_many_tries', message, request_id: headers.get('request-id') });
  }
  const [mailed] = await service.sql(`select count(*)::int from notices where kind = 'member_invited'`);
  assert.deepEqual(mailed, { count: 20 });
  assert.equal((await invite(two, 'ada@example.com')).status, 200);
  await service.clock.jump(60_000);
  assert.equal((await invite(one, 'ada@example.com')).status, 200);
  assert.equal((await invite(one, 'bob@example.com')).status, 429);
});
