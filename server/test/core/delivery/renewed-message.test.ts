import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { SEE_ALL } from '../../../src/platform/database/name-organizations.ts';
import { countStuck } from '../../../src/surfaces/doctor/queries.ts';
import { gift } from '../../harness/api-client.ts';
import { deliveriesOf } from '../../harness/deliveries.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { until } from '../../harness/server-process.ts';
import { openLink } from '../../harness/test-service.ts';

// The message with a renewed link, and its status on the recipient's page.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const { mail, service, organization, send } = openMailService();

const pass = (ms: number) => service.clock.setTime(service.clock.now() + ms);
const act = (link: string, name: string) => openLink(service, `${link}/${name}`, 'POST');
const offers = async (link: string) => {
  const { status, text } = await openLink(service, link);
  assert.equal(status, 410);
  return {
    isOffered: text.includes('Send a new link'),
    isOnItsWay: text.includes('on its way'),
    sendsToSender: /Ask [^.]+ for a new link/.test(text),
  };
};
const impossible = { isOffered: false, isOnItsWay: false, sendsToSender: true };

/** Creates a delivered gift; returns its link too. */
async function sentTo(email: string): Promise<{ giftId: string; link: string }> {
  const { body } = await organization.live.order([gift({ delivery: { method: 'email', email } })]);
  const giftId = body.gifts[0].gift_id;
  assert.deepEqual(await send(), []);
  assert.equal(mail.received.length, 1);
  const [link = ''] = /http\S+\/g\/[\w-]+/.exec(mail.received[0]?.email.text ?? '') ?? [];
  mail.received.length = 0;
  mail.tried.length = 0;
  return { giftId, link };
}

test('a claimed gift with an erased recipient offers and sends no renewed link', async () => {
  const { giftId, link } = await sentTo('ada@example.com');
  await act(link, 'open');
  await act(link, 'claim');
  const recipient = { method: 'email', email: 'ada@example.com' } as const;
  const erased = await eraseRecipient(service.service.deps, { recipient, actor: OPERATOR });
  assert.equal(erased.gifts, 1);
  await pass(31 * DAY_MS);
  assert.deepEqual(await offers(link), impossible);
  assert.equal((await act(link, 'renew')).status, 303);
  assert.deepEqual(await send(), []);
  assert.deepEqual(mail.tried, []);
  assert.equal((await deliveriesOf(service, giftId)).length, 1);
});

test('sends nothing if the recipient is erased after the page loads', async () => {
  const { giftId, link } = await sentTo('bob@example.com');
  await act(link, 'open');
  await act(link, 'claim');
  await pass(31 * DAY_MS);
  const [pool = assert.fail()] = service.service.deps.database.shards;
  const blocker = await pool.connect();
  try {
    await blocker.query(`begin; ${SEE_ALL}`);
    await blocker.query(`update gifts set address = 'erased' where address = 'bob@example.com'`);
    const renewing = act(link, 'renew');
    const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await service.sql(isWaiting)).length > 0, 'it waits for the erasure');
    await blocker.query('commit');
    assert.equal((await renewing).status, 303);
  } finally {
    blocker.release();
  }
  assert.equal((await deliveriesOf(service, giftId)).length, 1);
});

test('a refused renewed message is not retried, nor shown as on its way', async () => {
  const { giftId, link } = await sentTo('carl@example.com');
  await act(link, 'open');
  await pass(31 * DAY_MS);
  mail.answer(() => ({ code: 550, text: '5.1.1 No such user' }));
  await act(link, 'renew');
  assert.deepEqual(await offers(link), { isOffered: false, isOnItsWay: true, sendsToSender: false });
  assert.deepEqual(await send(), []);
  assert.equal((await deliveriesOf(service, giftId))[1]?.state, 'failed');
  assert.deepEqual(await offers(link), impossible);
  await pass(2 * HOUR_MS);
  assert.deepEqual(await offers(link), impossible);
  await act(link, 'renew');
  assert.equal((await deliveriesOf(service, giftId)).length, 2);
  assert.equal((await organization.live.get(`/v1/gifts/${giftId}`)).body.delivery.status, 'opened');
});

test('a renewed message that was replaced ends as failed, with a reason', async () => {
  const { giftId, link } = await sentTo('dora@example.com');
  await pass(31 * DAY_MS);
  mail.answer(() => ({ code: 451, text: 'Later' }));
  await act(link, 'renew');
  assert.equal((await send()).length, 1);
  mail.answer(() => 'accept');
  await pass(HOUR_MS);
  await act(link, 'renew');
  assert.deepEqual(await send(), []);
  assert.equal(mail.received.length, 1);
  assert.deepEqual(
    (await deliveriesOf(service, giftId)).map(({ state, reason }) => [state, reason]),
    [
      ['sent', null],
      ['failed', 'A later message replaced it.'],
      ['sent', null],
    ],
  );
  assert.equal((await organization.live.get(`/v1/gifts/${giftId}`)).body.delivery.status, 'sent');
  const [stuck] = await countStuck(service.service.deps.database.shards, [new Date(service.clock.now()), 100, []]);
  assert.equal(stuck?.messages, 0);
});
