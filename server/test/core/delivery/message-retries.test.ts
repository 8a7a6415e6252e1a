import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { retryMessages } from '../../../src/platform/jobs/retry-messages.ts';
import { openChannels } from '../../../src/platform/messaging/channels.ts';
import { allowChanges } from '../../harness/allow-changes.ts';
import { gift } from '../../harness/api-client.ts';
import { countPending, deliveriesOf } from '../../harness/deliveries.ts';
import { startMailServer, workOn, workUntil } from '../../harness/mail-server.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { openSender } from '../../harness/message-sender.ts';
import { until } from '../../harness/server-process.ts';
import { openLink, startTestService, testConfig } from '../../harness/test-service.ts';

// Temporary failures are retried for up to a day under the same reference. One email goes through the queue.

const { mail, service, organization, send } = openMailService();

const giftTo = (email: string) => gift({ delivery: { method: 'email', email } });

async function order(...emails: string[]): Promise<string[]> {
  const { status, body } = await organization.live.order(emails.map(giftTo));
  assert.equal(status, 201, JSON.stringify(body));
  return body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
}

const allSettled = async () => (await countPending(service)) === 0;
const statusOf = async (giftId: string) => (await organization.live.get(`/v1/gifts/${giftId}`)).body.delivery.status;

test('the queue retries an email until the mail server accepts it', async () => {
  mail.answer(() => (mail.tried.length < 2 ? { code: 451, text: '4.7.1 Greylisted, come back later' } : 'accept'));
  const [giftId = ''] = await order('queued@example.com');
  await workUntil(service, allSettled, 'sent');
  const [sent] = await deliveriesOf(service, giftId);
  assert.deepEqual([sent?.state, sent?.tries, sent?.reason, mail.received.length], ['sent', 3, null, 1]);
});

for (const [what, answer] of [
  ['a temporary refusal of the recipient', { code: 451, text: '4.7.1 Greylisted, come back later' }],
  ['a temporary refusal of the content', { code: 452, text: '4.3.1 No space', at: 'content' }],
  ['a connection that breaks in the middle of the message', 'drop'],
] as const)
  test(`after ${what} the same message is retried; its gift stays sent`, async () => {
    mail.answer(() => answer);
    const [giftId = ''] = await order('later@example.com');
    assert.equal((await send()).length, 1);
    const [tried] = await deliveriesOf(service, giftId);
    assert.deepEqual([tried?.state, tried?.tries], ['pending', 1]);
    assert.ok(tried?.reason, 'why it did not succeed');
    assert.equal(await statusOf(giftId), 'sent');
    mail.answer(() => 'accept');
    assert.deepEqual(await send(), []);
    assert.equal(mail.received.length, 1);
    const [sent] = await deliveriesOf(service, giftId);
    assert.deepEqual([sent?.state, sent?.tries, sent?.reason], ['sent', 2, null]);
    const hex = decodeId('gift', giftId)?.replaceAll('-', '') ?? '';
    assert.ok(mail.received[0]?.messageId.includes(hex));
  });

test('a message that was handed over without an answer is tried again after half an hour, three times in all', async () => {
  mail.answer(() => 'drop_at_end');
  const [giftId = ''] = await order('perhaps@example.com');
  const tries = async () => (await deliveriesOf(service, giftId))[0]?.tries;
  for (const count of [1, 2, 3]) {
    await workUntil(service, async () => (await tries()) === count, `try ${count}`);
    // The job must have ended.
    await workOn(service, 3);
    await service.clock.jump(1_780_000);
    await workOn(service, 5);
    assert.equal(mail.tried.length, count);
    await service.clock.jump(15_000);
  }
  const [given] = await deliveriesOf(service, giftId);
  assert.equal(given?.state, 'failed');
  assert.match(given?.reason ?? '', /^Handed over three times without an answer, so it may have arrived: /);
});

test('messages that waited for a mail server go out minutes after it is back, and barely load it until then', async () => {
  mail.answer(() => ({ code: 451, text: '4.3.2 The server is busy' }));
  await order(...Array.from({ length: 10 }, (_, n) => `early-${n}@example.com`));
  for (let n = 0; n < 5; n += 1) await order(...Array.from({ length: 10 }, (_, m) => `waits-${n}-${m}@example.com`));
  const startMs = service.clock.now();
  // After a refusal the others wait for the clock, in their jobs.
  const pass = (ms: number) => service.clock.advance(ms, 100);
  while (service.clock.now() < startMs + 100_000) await pass(5_000);
  // Each message for itself would have been tried six times, after 2, 4, 8, 16 and 32 seconds.
  assert.ok(mail.tried.length < 180, `${mail.tried.length} tries of 60 messages`);
  mail.answer(() => 'accept');
  const backMs = service.clock.now();
  await until(async () => {
    await pass(1_000);
    return await allSettled();
  }, 'all are sent');
  assert.equal(mail.received.length, 60);
  assert.ok(service.clock.now() - backMs <= 310_000, `${service.clock.now() - backMs} ms`);
});

test('outbox retry tries all at once that failed', async () => {
  mail.answer(() => ({ code: 451, text: '4.3.2 The server is busy' }));
  await order('first@example.com', 'second@example.com');
  await workOn(service, 60);
  mail.answer(() => 'accept');
  assert.equal(await retryMessages(service.service.deps.database), 2);
  const startMs = service.clock.now();
  await workUntil(service, allSettled, 'both are sent');
  assert.ok(service.clock.now() - startMs <= 10_000);
});

test('outbox retry does not wait for half an hour either', async () => {
  mail.answer(() => 'drop_at_end');
  const [giftId = ''] = await order('soon@example.com');
  await workUntil(service, async () => (await deliveriesOf(service, giftId))[0]?.tries === 1, 'handed over');
  await workOn(service, 3);
  mail.answer(() => 'accept');
  assert.equal(await retryMessages(service.service.deps.database), 1);
  await workUntil(service, allSettled, 'it is sent');
});

test('a message accepted while the database is unreachable is not sent twice', async () => {
  const { promise: accepted, resolve: accept } = Promise.withResolvers<void>();
  mail.answer(() => ({ after: accepted }));
  const [giftId = ''] = await order('once@example.com');
  const sending = send();
  await until(() => mail.tried.length === 1, 'handed in');
  const [pool = assert.fail()] = service.service.deps.database.shards;
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    accept();
    await until(() => pool.waitingCount > 0, 'it is to be recorded');
    await until(() => pool.waitingCount === 0, 'no connection was there in time');
  } finally {
    for (const client of taken) client.release();
  }
  assert.deepEqual(await sending, []);
  assert.deepEqual(await send(), []);
  assert.equal(mail.received.length, 1);
  const [sent] = await deliveriesOf(service, giftId);
  assert.deepEqual([sent?.state, sent?.tries], ['sent', 1]);
});

/** Starts another service with these settings; orders an email. */
async function startElsewhere(t: TestContext, url: string) {
  const elsewhere = await startTestService({ SMTP_URL: url, MAIL_FROM: 'gifts@bestow.example' });
  t.after(() => elsewhere.close());
  const sender = await openSender(elsewhere);
  t.after(() => sender.close());
  const customer = await elsewhere.organization();
  const orderOne = async (): Promise<string> =>
    (await customer.live.order([giftTo('someone@example.com')])).body.gifts[0].gift_id;
  return { elsewhere, sender, customer, orderOne };
}

test('a refused SMTP login fails no message; all are sent once it works', async (t) => {
  const strict = await startMailServer('refused');
  const { elsewhere, sender, orderOne } = await startElsewhere(t, strict.url);
  t.after(() => strict.close());
  const giftId = await orderOne();
  for (const tries of [1, 2]) {
    assert.equal((await sender.send()).length, 1);
    const [row] = await deliveriesOf(elsewhere, giftId);
    assert.deepEqual([row?.state, row?.tries, row?.reason], ['pending', tries, '535 5.7.8 Wrong password']);
  }
  strict.acceptLogins();
  assert.deepEqual(await sender.send(), []);
  assert.deepEqual(
    strict.received.flatMap(({ to }) => to),
    ['someone@example.com'],
  );
});

test('a stalled mail domain does not delay others', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  mail.answer((to) => (to.endsWith('@slow.example') ? { after: held } : 'accept'));
  for (let n = 0; n < 6; n += 1)
    await order(...Array.from({ length: 10 }, (_, i) => `person-${10 * n + i}@slow.example`));
  await order(...Array.from({ length: 10 }, (_, i) => `person-${i}@quick.example`));
  await workUntil(service, () => mail.received.length >= 10, 'the quick ones, while no slow one has arrived');
  assert.ok(mail.received.every(({ to }) => to[0]?.endsWith('@quick.example')));
  release();
  await workUntil(service, allSettled, 'all');
  assert.equal(new Set(mail.received.map(({ messageId }) => messageId)).size, 70);
});

test('the queues retry messages at first within seconds, later each four minutes', async () => {
  const delays = await service.sql(
    `select distinct retry_delay, retry_backoff, retry_delay_max from pgboss.queue where name in ('send-email', 'send-phone')`,
  );
  assert.deepEqual(delays, [{ retry_delay: 2, retry_backoff: true, retry_delay_max: 240 }]);
});

test('without a mail server, a gift fails after a day and twenty attempts', async (t) => {
  // A reserved port: another test could take a free one.
  const { elsewhere, sender, customer, orderOne } = await startElsewhere(t, 'smtp://127.0.0.1:1');
  for (const [everyHours, attempts] of [
    [1, 25],
    [2, 20],
  ] as const) {
    const giftId = await orderOne();
    for (let attempt = 1; attempt < attempts; attempt += 1) {
      assert.equal((await sender.send()).length, 1, `attempt ${attempt}`);
      await elsewhere.clock.jump(everyHours * 3_600_000);
    }
    assert.deepEqual(await sender.send(), []);
    const [row] = await deliveriesOf(elsewhere, giftId);
    assert.equal(row?.state, 'failed');
    assert.match(row?.reason ?? '', /^Given up after a day: .*ECONNREFUSED/);
    const { body } = await customer.live.get(`/v1/gifts/${giftId}?expand=history`);
    assert.equal(body.delivery.status, 'failed');
    const { reason, retryable, provider_message: words } = body.history.failure;
    assert.deepEqual([reason, retryable], ['given_up', true]);
    assert.equal(`Given up after a day: ${words}`, row?.reason);
  }
});

test('never sends the message of a redirected, opened or deleted gift', async () => {
  mail.answer(() => ({ code: 451, text: 'Later' }));
  const [opened = '', deleted = ''] = await order('opened@example.com', 'deleted@example.com');
  assert.equal((await send()).length, 2);
  await service.sql('update gifts set opened_at = created_at, delivery_state = $2 where gift_id = $1', [
    decodeId('gift', opened),
    'delivered',
  ]);
  await service.sql('update deliveries set state = $2 where gift_id = $1', [decodeId('gift', opened), 'delivered']);
  await allowChanges(service.sql, ['gifts']);
  await service.sql('delete from gifts where gift_id = $1', [decodeId('gift', deleted)]);
  mail.answer(() => 'accept');
  assert.deepEqual(await send(), []);
  assert.equal(mail.received.length, 0);

  mail.answer((to) => (to === 'first@example.com' ? { code: 550, text: '5.1.1 Unknown' } : 'accept'));
  const [redirected = ''] = await order('first@example.com');
  assert.deepEqual(await send(), []);
  assert.equal(await statusOf(redirected), 'failed');
  const redirects = await Promise.all(
    ['second@example.com', 'third@example.com'].map((email) =>
      organization.live.put(`/v1/gifts/${redirected}/delivery`, { method: 'email', email }),
    ),
  );
  assert.deepEqual(redirects.map(({ status }) => status).sort(), [200, 422]);
  assert.deepEqual(await send(), []);
  assert.deepEqual(await send(), []);
  assert.equal(mail.received.length, 1, 'two redirects at once give one message');
  const [row] = (await deliveriesOf(service, redirected)).slice(-1);
  assert.deepEqual(mail.received[0]?.to, [row?.address]);
  const [link = ''] = /http\S+\/g\/\S+/.exec(mail.received[0]?.email.text ?? '') ?? [];
  assert.equal((await openLink(service, link)).status, 200);
});

test('in production, a message waits for settings, even for days', async (t) => {
  const production = await startTestService({ NODE_ENV: 'production', ALLOW_SIMULATED_LIVE: '1' });
  t.after(() => production.close());
  const customer = await production.organization();
  const phone = gift({ delivery: { method: 'phone', phone: '+12025550123' } });
  const { body } = await customer.live.order([giftTo('patient@example.com'), phone]);
  const email = async () => (await deliveriesOf(production, body.gifts[0].gift_id))[0];
  await workOn(production, 3);
  await production.clock.setTime(production.clock.now() + 5 * 86_400_000);
  await workOn(production, 3);
  const row = await email();
  assert.deepEqual([row?.state, row?.tries], ['pending', 0]);
  mail.answer(() => ({ code: 451, text: 'Once more' }));
  await production.second({ SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' });
  await workUntil(production, async () => (await email())?.tries === 1, 'tried');
  // Not failed at its first attempt, although the message is older than a day.
  mail.answer(() => 'accept');
  await workUntil(production, async () => (await countPending(production)) === 1, 'the email is sent, the text waits');
  assert.deepEqual(
    mail.received.flatMap(({ to }) => to),
    ['patient@example.com'],
  );
});

test('the start logs once which messages wait, also if no one can read the outbox', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line).msg) });
  const open = (variables: Record<string, string>) =>
    openChannels(testConfig(variables), log, () => variables['PUBLIC_URL'] ?? 'http://localhost');
  assert.deepEqual(await open({ NODE_ENV: 'production' }), { email: undefined, notice: undefined, phone: undefined });
  assert.deepEqual(lines, [
    'SMTP_URL is not set: live emails stay queued until it is.',
    'TWILIO_ACCOUNT_SID is not set: live text messages stay queued until it is.',
  ]);
  const { email, phone } = await open({});
  assert.deepEqual([email?.name, phone?.name, lines.length], ['outbox', 'outbox', 2]);
  const smtp = { SMTP_URL: mail.url, MAIL_FROM: 'gifts@bestow.example' };
  for (const settings of [smtp, { PUBLIC_URL: 'https://gifts.example.com' }, { DATABASE_URL: 'postgres://h/d' }]) {
    const channels = await open(settings);
    assert.equal(channels.phone, undefined, JSON.stringify(settings));
    await channels.email?.close();
    await channels.notice?.close();
  }
});
