import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sendDueGifts } from '../../../src/core/gifts/schedule/send-waiting.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { gift } from '../../harness/api-client.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { workOn, workUntil } from '../../harness/mail-server.ts';
import { openMailService } from '../../harness/mail-service.ts';
import type { TestService } from '../../harness/test-service.ts';

/** Races, ten gifts at once: half of their cancellations come from another process. */
const ROUNDS = 100;
const GIFTS = 10;
const DAY_MS = 86_400_000;

const { service, mail, organization } = openMailService();
let other: TestService;
before(async () => {
  other = await service.second();
});

const inDays = (days: number) => new Date(service.clock.now() + days * DAY_MS).toISOString();
const pass = (days: number) => service.clock.setTime(service.clock.now() + days * DAY_MS);
const mailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address)).length;
const toAddress = (email: string) => gift({ delivery: { method: 'email', email }, send_at: inDays(1), amount: 1000 });

test('a gift whose time came without a worker is sent once, however many workers start', async () => {
  await organization.live.order([toAddress('late@example.com')]);
  await pass(3);
  await Promise.all([service, other, service, other].map((from) => sendDueGifts(from.service.deps)));
  await workUntil(service, () => mailsTo('late@example.com') > 0, 'the mail');
  await workOn(service, 5);
  assert.equal(mailsTo('late@example.com'), 1);
});

test('the minute’s work sends a gift at its time', async () => {
  await organization.live.order([toAddress('minute@example.com')]);
  await pass(1);
  await workUntil(service, () => mailsTo('minute@example.com') > 0, 'the mail');
});

test('a gift that is canceled as it is sent is refunded once, and its mail is not sent', async () => {
  const { live } = organization;
  const funds = await balanceOf(service, organization, 'live');
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round += GIFTS) {
    const gifts = Array.from({ length: GIFTS }, (_, n) => toAddress(`round-${round + n}@example.com`));
    const { body } = await live.order(gifts);
    const ordered: string[] = body.gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
    ids.push(...ordered);
    await pass(1);
    const cancel = (id: string, n: number) =>
      (n % 2 === 0 ? service : other).api(organization.keys.live).post(`/v1/gifts/${id}/cancel`);
    const sendings = [service, other].map((from) => sendDueGifts(from.service.deps));
    const [answers] = await Promise.all([Promise.all(ordered.map(cancel)), ...sendings]);
    for (const { status } of answers) assert.equal(status, 200);
  }
  assert.equal(await balanceOf(service, organization, 'live'), funds);
  await sendDueGifts(service.service.deps);
  await workOn(service, 10);
  const rows = await service.sql<{ state: string | null; is_waiting: boolean | null }>(
    `select d.state, g.is_waiting
     from gifts g left join deliveries d using (organization_id, environment, gift_id) where gift_id = any ($1)`,
    [ids.map((id) => decodeId('gift', id))],
  );
  assert.equal(rows.length, ROUNDS);
  for (const { state, is_waiting } of rows) assert.deepEqual([state ?? 'failed', is_waiting], ['failed', null]);
  assert.equal(mail.received.filter(({ to }) => to.some((one) => one.startsWith('round-'))).length, 0);
  await verifyAll(service);
});

test('a gift whose time is changed as it is sent is sent once', async () => {
  const addresses = Array.from({ length: 20 }, (_, n) => `changed-${n}@example.com`);
  const orders = await Promise.all(addresses.map((address) => organization.live.order([toAddress(address)])));
  await pass(1);
  const change = ({ body }: (typeof orders)[number], n: number) =>
    organization.live.post(`/v1/gifts/${body.gifts[0].gift_id}/schedule`, { send_at: inDays(n % 2) });
  const [answers] = await Promise.all([
    Promise.all(orders.map(change)),
    sendDueGifts(service.service.deps),
    sendDueGifts(other.service.deps),
  ]);
  for (const { status, body } of answers) assert.ok(status === 200 || body.error.code === 'gift_not_scheduled');
  await pass(1);
  await sendDueGifts(service.service.deps);
  await workUntil(service, () => addresses.every((address) => mailsTo(address) > 0), 'the mails');
  await workOn(service, 5);
  for (const address of addresses) assert.equal(mailsTo(address), 1, address);
});
