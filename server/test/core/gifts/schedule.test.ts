import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { announceExpiry } from '../../../src/core/gifts/cancel/announce-expiry.ts';
import { expireGifts } from '../../../src/core/gifts/cancel/expire-gifts.ts';
import { holdGift, releaseGift } from '../../../src/core/gifts/hold/hold-gift.ts';
import { sendDueGifts } from '../../../src/core/gifts/schedule/send-waiting.ts';
import { setProgram } from '../../../src/core/organizations/set-program.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const service = openForFile(() => startTestService());

const inDays = (days: number) => new Date(service.clock.now() + days * DAY_MS).toISOString();
const pass = (ms: number) => service.clock.setTime(service.clock.now() + ms);

/** Sends and waits for the job of every minute, which a start may begin: a gift that it has locked is skipped here. */
async function sendDue(): Promise<void> {
  await sendDueGifts(service.service.deps);
  const atWork = `select from pgboss.job where name = 'every-minute' and state = 'active'`;
  await until(async () => (await service.sql(atWork)).length === 0, 'the minute’s job is done');
}

const scheduled = (localPart: string, days: number) => ({ ...emailGift(localPart), send_at: inDays(days) });

const countOf = async (table: 'deliveries' | 'pgboss.job', giftId: string) => {
  const id = table === 'deliveries' ? 'gift_id::text' : `data ->> 'giftId'`;
  const counts = await service.sql<{ count: string }>(`select count(*) from ${table} where ${id} = $1`, [
    decodeId('gift', giftId),
  ]);
  // Each shard counts its own jobs.
  return counts.reduce((sum, { count }) => sum + Number(count), 0);
};

async function orderScheduled({ sandbox }: TestOrganization, localPart = 'someone', days = 10): Promise<string> {
  return (await sandbox.order([scheduled(localPart, days)])).body.gifts[0].gift_id;
}

test('a scheduled gift is paid at the order, and its message exists from its time on', async () => {
  const organization = await service.organization({ live: 10_000 });
  const at = '2026-12-24T09:00:00+01:00';
  const gifts = [gift({ send_at: at }), gift()];
  const { body: order } = await organization.live.order(gifts, 'one');
  const [waiting, ordinary] = order.gifts;
  assert.deepEqual([waiting.scheduled_for, 'scheduled_for' in ordinary], ['2026-12-24T08:00:00.000Z', false]);
  assert.equal(await balanceOf(service, organization, 'live'), 5_000);
  for (const path of [`/v1/orders/${order.order_id}`, '/v1/orders?delivery_method=email'])
    assert.ok(JSON.stringify((await organization.live.get(path)).body).includes(JSON.stringify(order)));
  assert.deepEqual((await organization.live.get(`/v1/gifts/${waiting.gift_id}`)).body, waiting);
  await sendDue();
  assert.deepEqual(
    [await countOf('deliveries', waiting.gift_id), await countOf('pgboss.job', waiting.gift_id)],
    [0, 0],
  );
  await service.clock.setTime(Date.parse(at));
  await Promise.all([sendDue(), sendDue()]);
  assert.deepEqual(
    [await countOf('deliveries', waiting.gift_id), await countOf('pgboss.job', waiting.gift_id)],
    [1, 1],
  );
  assert.equal(await balanceOf(service, organization, 'live'), 5_000);
  const replay = await organization.live.order(gifts, 'one');
  assert.deepEqual([replay.status, replay.body], [200, order]);
  assertError(await organization.live.order([gift({ send_at: inDays(1) }), gift()], 'one'), 'idempotency_key_reused');
});

test('send_at is a time with a zone, at most 366 days ahead, of a gift that is sent', async () => {
  const { live, sandbox } = await service.organization();
  const refused = [
    '2026-12-24',
    '2026-12-24T09:00:00',
    '2027-02-30T09:00:00Z',
    '2027-01-01T25:00:00Z',
    inDays(366.01),
    inDays(-1 / 250),
    1_800_000_000,
    '',
  ];
  for (const send_at of refused) {
    const answer = await sandbox.order([linkGift(), gift({ send_at })]);
    assertError(answer, 'parameter_invalid', 'gifts[1].send_at');
  }
  assertError(await live.order([{ ...linkGift(), send_at: inDays(1) }]), 'parameter_invalid', 'gifts[0].send_at');
  const wrongCategory = gift({ send_at: inDays(-1), category: 'nothing' });
  assertError(await sandbox.order([wrongCategory]), 'parameter_invalid', 'gifts[0].category');
  const { body } = await sandbox.order([gift({ send_at: inDays(366) }), gift({ send_at: inDays(-1 / 300) })]);
  assert.equal(body.gifts.length, 2);
  assert.equal((await sandbox.order([gift({ send_at: null })])).body.gifts[0].scheduled_for, undefined);
});

test('the address steers a sandbox gift when it is sent', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const { body: order } = await sandbox.order([
    scheduled('spent', 1),
    scheduled('bounced', 1),
    scheduled('processing', 1),
    scheduled('someone', 1),
  ]);
  assert.deepEqual([order.status, order.gifts.length], ['processing', 2]);
  await service.clock.advance(21_000);
  const statuses = async () => {
    const { body } = await sandbox.get(`/v1/orders/${order.order_id}`);
    return body.gifts.map(({ delivery: { status } }: { delivery: { status: string } }) => status);
  };
  await until(async () => (await statuses()).length === 4, 'the order is completed');
  assert.deepEqual(await statuses(), ['sent', 'sent', 'sent', 'sent']);
  await pass(DAY_MS);
  await sendDue();
  assert.deepEqual(await statuses(), ['claimed', 'failed', 'sent', 'sent']);
  const delivered = await sandbox.post(
    `/v1/sandbox/gifts/${(await sandbox.get('/v1/gifts')).body.data[0].gift_id}/deliver`,
  );
  assert.equal(delivered.status, 200);
  const { body } = await sandbox.get('/v1/events?limit=100');
  const types = body.data.map(({ type }: { type: string }) => type);
  assert.deepEqual(
    types.filter((type: string) => type.startsWith('gift.')),
    ['gift.delivered', 'gift.opened', 'gift.claimed', 'gift.spent', 'gift.delivery_failed', 'gift.delivered'],
  );
  assert.equal(await countOf('deliveries', order.gifts[0].gift_id), 1);
});

test('until it is sent, the time of a gift can be changed, and the gift sent at once', async () => {
  const organization = await service.organization();
  const { sandbox, organizationId } = organization;
  const program = { program: 'award', reminderDays: [], actor: OPERATOR } as const;
  await setProgram(service.service.deps, { organizationId, unclaimedAfterDays: 30, ...program });
  const giftId = await orderScheduled(organization);
  const path = `/v1/gifts/${giftId}/schedule`;
  const expiry = async () => {
    const [row] = await service.sql<{ expires_at: Date }>('select expires_at from gifts where gift_id = $1', [
      decodeId('gift', giftId),
    ]);
    return Math.round(((row?.expires_at.getTime() ?? 0) - service.clock.now()) / DAY_MS);
  };
  const day = await expiry();
  const later = { send_at: inDays(20) };
  const { body: changed } = await sandbox.post(path, later, { 'Idempotency-Key': 'later' });
  assert.equal(changed.scheduled_for, later.send_at);
  assert.equal(await expiry(), day + 10);
  for (const send_at of [inDays(-1), inDays(367)])
    assertError(await sandbox.post(path, { send_at }), 'parameter_invalid', 'send_at');
  await pass(15 * DAY_MS);
  await sendDue();
  assert.equal(await countOf('deliveries', giftId), 0);
  const now = new Date(service.clock.now()).toISOString();
  const { body: sent } = await sandbox.post(path, { send_at: now });
  assert.deepEqual([sent.scheduled_for, await countOf('deliveries', giftId), await expiry()], [now, 1, day - 10]);
  assertError(await sandbox.post(path, { send_at: inDays(1) }), 'gift_not_scheduled');
  const replay = await sandbox.post(path, later, { 'Idempotency-Key': 'later' });
  assert.deepEqual([replay.headers.get('idempotent-replayed'), replay.body], ['true', sent]);
  await sandbox.post(`/v1/sandbox/gifts/${giftId}/claim`);
  assertError(await sandbox.post(path, { send_at: inDays(1) }), 'gift_already_redeemed');
});

test('a scheduled gift that is canceled is refunded and never sent', async () => {
  const organization = await service.organization({ sandbox: 10_000 });
  const giftId = await orderScheduled(organization);
  const { body: canceled } = await organization.sandbox.post(`/v1/gifts/${giftId}/cancel`);
  assert.equal(canceled.cancellation.refunded, 2500);
  assert.ok(canceled.scheduled_for);
  assertError(await organization.sandbox.post(`/v1/gifts/${giftId}/schedule`, { send_at: inDays(1) }), 'gift_canceled');
  await pass(11 * DAY_MS);
  await sendDue();
  assert.equal(await countOf('deliveries', giftId), 0);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 10_000);
  await verifyAll(service);
});

test('of a gift that waits, only the address, the time and holds can change', async () => {
  const organization = await service.organization();
  const { sandbox, organizationId, organizationUuid } = organization;
  const giftId = await orderScheduled(organization);
  for (const act of ['resend', 'link']) assertError(await sandbox.post(`/v1/gifts/${giftId}/${act}`), 'gift_scheduled');
  for (const act of ['deliver', 'open', 'claim'])
    assert.equal((await sandbox.post(`/v1/sandbox/gifts/${giftId}/${act}`)).body.error.reason, 'gift_scheduled');
  const delivery = { method: 'email', email: 'opened@sandbox.gift.test' };
  const { body: redirected } = await sandbox.put(`/v1/gifts/${giftId}/delivery`, delivery);
  assert.deepEqual(redirected.delivery, { ...delivery, status: 'sent' });
  assert.ok(redirected.scheduled_for);
  assert.equal(await countOf('deliveries', giftId), 0);
  const hold = {
    scope: { organizationId: organizationUuid, environment: 'sandbox' },
    giftId: decodeId('gift', giftId) ?? '',
    actor: OPERATOR,
  } as const;
  await holdGift(service.service.deps, hold);
  assertError(await sandbox.post(`/v1/gifts/${giftId}/schedule`, { send_at: inDays(1) }), 'gift_on_hold');
  const recipient = { method: 'email', email: 'gone@example.com' } as const;
  const { body } = await sandbox.order([gift({ delivery: recipient, send_at: inDays(1) })]);
  await eraseRecipient(service.service.deps, { organizationId, recipient, actor: OPERATOR });
  await pass(11 * DAY_MS);
  await sendDue();
  assert.equal(await countOf('deliveries', giftId), 0);
  await releaseGift(service.service.deps, hold);
  await sendDue();
  assert.equal((await sandbox.get(`/v1/gifts/${giftId}`)).body.delivery.status, 'opened');
  assert.equal(await countOf('deliveries', body.gifts[0].gift_id), 0);
  assert.equal((await sandbox.get(`/v1/gifts/${body.gifts[0].gift_id}`)).body.delivery.status, 'failed');
});

test('lists find the gifts that wait, and count none of them as sent', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const waiting = await orderScheduled(organization);
  const [{ gift_id: sent }] = (await sandbox.order([gift()])).body.gifts;
  const idsOf = async (query: string) =>
    (await sandbox.get(`/v1/gifts?${query}`)).body.data.map(({ gift_id }: { gift_id: string }) => gift_id);
  for (const more of ['', '&category=coffee', '&delivery_method=email', '&category=coffee&delivery_method=email']) {
    assert.deepEqual(await idsOf(`status=scheduled${more}`), [waiting]);
    assert.deepEqual(await idsOf(`status=sent${more}`), [sent]);
  }
  assert.deepEqual(await idsOf('status=scheduled&delivery_method=phone'), []);
  const headers = { Authorization: `Bearer ${organization.keys.sandbox}`, Accept: 'text/csv' };
  const csv = await (await fetch(`${service.url}/v1/gifts?status=scheduled`, { headers })).text();
  const { body } = await sandbox.get(`/v1/gifts/${waiting}`);
  assert.match(csv, new RegExp(`,scheduled_for.*\\r\\n${waiting},.*,"?${body.scheduled_for}"?.*\\r\\n$`));
});

test('a gift expires after its days from the sending', async () => {
  const organization = await service.organization();
  const { organizationId, sandbox } = organization;
  const program = { program: 'award', reminderDays: [], actor: OPERATOR } as const;
  await setProgram(service.service.deps, { organizationId, unclaimedAfterDays: 30, ...program });
  const giftId = await orderScheduled(organization, 'someone', 100);
  const work = async () => {
    for (const act of [announceExpiry, expireGifts, sendDueGifts]) await act(service.service.deps);
  };
  const isCanceled = async () => (await sandbox.get(`/v1/gifts/${giftId}`)).body.cancellation !== undefined;
  for (const days of [99, 1, 20, 10]) {
    await pass(days * DAY_MS);
    await work();
    assert.equal(await isCanceled(), false);
  }
  await pass(DAY_MS + MINUTE_MS);
  await work();
  assert.equal(await isCanceled(), true);
});
