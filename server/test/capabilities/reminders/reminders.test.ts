import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { sendReminders } from '../../../src/capabilities/reminders/send-reminders.ts';
import { holdGift } from '../../../src/core/gifts/hold/hold-gift.ts';
import { sendDueGifts } from '../../../src/core/gifts/schedule/send-waiting.ts';
import { setProgram } from '../../../src/core/organizations/set-program.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openMailService } from '../../harness/mail-service.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { openLink } from '../../harness/test-service.ts';

const DAY_MS = 86_400_000;
const { mail, service, organization } = openMailService();

beforeEach(() => remind());

/** The job of every minute, as often as it takes. */
async function remind(): Promise<void> {
  for (let run = 0; run < 12; run += 1) await sendReminders(service.service.deps);
}

async function pass(days: number): Promise<void> {
  await service.clock.setTime(service.clock.now() + days * DAY_MS);
  await remind();
}

async function buy(email: string): Promise<{ giftId: string; uuid: string }> {
  const { body } = await organization.live.order([gift({ delivery: { method: 'email', email } })]);
  const giftId = body.gifts[0].gift_id;
  await mails(email, 1);
  return { giftId, uuid: decodeId('gift', giftId) ?? '' };
}

/** Waits for so many mails to an address. */
async function mails(email: string, count: number) {
  const found = () => mail.received.filter(({ to }) => to.includes(email));
  await workUntil(service, async () => found().length >= count, `${count} mails to ${email}`);
  assert.equal(found().length, count);
  return found();
}

const reminders = ({ uuid }: { uuid: string }) =>
  service.sql<{ reminder_day: number; state: string }>(
    'select reminder_day, state from deliveries where gift_id = $1 and reminder_day is not null order by 1',
    [uuid],
  );

const stopLink = (raw: string) => /List-Unsubscribe: <([^>]+)>/.exec(raw.replace(/\r\n[ \t]/g, ''))?.[1] ?? '';

test('the recipient of an unclaimed gift is reminded after 7 and 21 days, each once', async () => {
  const bought = await buy('ada@example.com');
  await pass(6.9);
  assert.equal((await reminders(bought)).length, 0);
  await pass(0.2);
  const [first, second] = await mails('ada@example.com', 2);
  assert.equal(second?.email.subject, 'Your gift from Test Organization is waiting');
  assert.notEqual(first?.messageId, second?.messageId);
  assert.match(second?.raw ?? '', /List-Unsubscribe-Post: List-Unsubscribe=One-Click/);
  assert.doesNotMatch(first?.raw ?? '', /List-Unsubscribe/);
  await pass(13.8);
  await pass(0.2);
  await mails('ada@example.com', 3);
  await pass(30);
  assert.deepEqual(
    (await reminders(bought)).map(({ reminder_day }) => reminder_day),
    [7, 21],
  );
  const { body } = await organization.live.get(`/v1/gifts/${bought.giftId}`);
  assert.equal(body.delivery.status, 'sent');
});

test('reminders of a scheduled gift count from its time', async () => {
  const send_at = new Date(service.clock.now() + 30 * DAY_MS).toISOString();
  const { body } = await organization.live.order([
    gift({ delivery: { method: 'email', email: 'later@example.com' }, send_at }),
  ]);
  const bought = { uuid: decodeId('gift', body.gifts[0].gift_id) ?? '' };
  await pass(30);
  await sendDueGifts(service.service.deps);
  await mails('later@example.com', 1);
  await pass(6.9);
  assert.deepEqual(await reminders(bought), []);
  await pass(0.2);
  await mails('later@example.com', 2);
});

test('no reminder follows a claim, a cancellation, a hold, an erasure or a gift that is not wanted', async () => {
  const claimed = await buy('claimed@example.com');
  const [message] = await mails('claimed@example.com', 1);
  const [link = ''] = /http\S+\/g\/[\w-]+/.exec(message?.email.text ?? '') ?? [];
  await openLink(service, `${link}/claim`, 'POST');
  const declined = await buy('declined@example.com');
  const [unwanted] = await mails('declined@example.com', 1);
  await openLink(service, `${/http\S+\/g\/[\w-]+/.exec(unwanted?.email.text ?? '')?.[0]}/decline`, 'POST');
  const canceled = await buy('canceled@example.com');
  await organization.live.post(`/v1/gifts/${canceled.giftId}/cancel`);
  const held = await buy('held@example.com');
  const scope = { organizationId: organization.organizationUuid, environment: 'live' } as const;
  await holdGift(service.service.deps, { scope, giftId: held.uuid, actor: OPERATOR });
  const erased = await buy('erased@example.com');
  const recipient = { method: 'email', email: 'erased@example.com' } as const;
  await eraseRecipient(service.service.deps, { recipient, actor: OPERATOR });
  const link_ = await organization.live.order([linkGift()]);
  await pass(8);
  const linked = { uuid: decodeId('gift', link_.body.gifts[0].gift_id) ?? '' };
  for (const bought of [claimed, declined, canceled, held, erased, linked])
    assert.deepEqual(await reminders(bought), []);
});

test('a reminder that waits is not sent after a cancellation', async () => {
  const bought = await buy('late@example.com');
  await service.clock.setTime(service.clock.now() + 7.1 * DAY_MS);
  await remind();
  await organization.live.post(`/v1/gifts/${bought.giftId}/cancel`);
  await service.clock.advance(5_000);
  const [reminder] = await reminders(bought);
  const sent = mail.received.filter(({ to }) => to.includes('late@example.com')).length - 1;
  assert.equal(reminder?.state, sent === 1 ? 'sent' : 'failed');
});

test('one click ends the organization’s reminders to the address, also an old link', async () => {
  await buy('stop@example.com');
  await pass(7.1);
  const [, reminder] = await mails('stop@example.com', 2);
  const link = stopLink(reminder?.raw ?? '');
  assert.ok(reminder?.email.text?.includes(link));
  const page = await openLink(service, link);
  assert.match(page.text, /Stop reminders\?/);
  assert.match(page.text, /<form method="post" action="stop">/);
  const later = await buy('Stop@Example.com');
  await service.clock.setTime(service.clock.now() + 40 * DAY_MS);
  assert.equal((await openLink(service, link, 'POST')).status, 200);
  assert.equal((await openLink(service, link, 'POST')).status, 200);
  await remind();
  assert.deepEqual(await reminders(later), []);
  assert.equal((await openLink(service, `${link.replace(/g\/.{8}/, 'g/AAAAAAAA')}`, 'POST')).status, 404);
});

test('an organization chooses other days, or none', async () => {
  const { organizationId } = organization;
  const set = (reminderDays: number[]) =>
    setProgram(service.service.deps, {
      organizationId,
      program: 'award',
      unclaimedAfterDays: null,
      reminderDays,
      actor: OPERATOR,
    });
  await set([3]);
  const bought = await buy('days@example.com');
  await pass(8);
  assert.deepEqual(
    (await reminders(bought)).map(({ reminder_day }) => reminder_day),
    [3],
  );
  await set([]);
  const quiet = await buy('quiet@example.com');
  await pass(30);
  assert.deepEqual(await reminders(quiet), []);
  await assert.rejects(set([0]), /Recipients can be reminded on up to 5 days/);
});
