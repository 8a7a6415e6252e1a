import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { Client } from 'pg';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import type { GiftInputBody } from '../../../src/core/gifts/gift/schema.ts';
import { memberBuyer } from '../../../src/core/orders/buyer.ts';
import { placeOrder } from '../../../src/core/orders/place-order.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { createSender, killedAfter, rowsTo, type Sender } from '../../harness/batches.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { until } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

/** What a batch keeps to when processes are killed, race each other or race a person. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const second = openForFile(() => service.second());
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));
let sender: Sender;
before(() => {
  sender = createSender(service, admin, organization);
});

const giftsTo = (name: string) =>
  service.sql<{ address: string }>(
    `select address from gifts where organization_id = $1 and address like $2 order by gift_id`,
    [organization.organizationUuid, `${name}-%`],
  );

/** That each row has its own gift, in the order of the file. */
async function assertResults(batchId: string, name: string, count: number): Promise<void> {
  assert.equal((await giftsTo(name)).length, count);
  const { body } = await admin.call('GET', sender.path(`/${batchId}/rows?limit=100`));
  assert.deepEqual(
    body.data.map(({ result, address }: { result: string; address: string }) => [result, address]),
    Array.from({ length: count }, (_, n) => ['placed', `${name}-${n + 1}@example.com`]),
  );
}

test('killed after any query, a batch goes on and buys each gift once', async () => {
  for (let query = 1; ; query += 1) {
    const name = randomUUID();
    const balance = await balanceOf(service, organization, 'sandbox');
    const batchId = await sender.send(rowsTo(12, name));
    const killed = killedAfter(service.service.deps, query);
    await sender.work(batchId, killed.deps).catch((error: Error) => assert.match(error.name, /Error|OutcomeUnknown/));
    await sender.work(batchId);
    await assertResults(batchId, name, 12);
    const { state, placed, refused } = await sender.show(batchId);
    assert.deepEqual([state, placed, refused], ['ended', 12, 0], `query ${query}`);
    assert.equal(await balanceOf(service, organization, 'sandbox'), balance - 12_000);
    if (!killed.isKilled()) {
      assert.ok(query > 15, `${query} queries`);
      return;
    }
  }
});

test('two processes that work on one batch place each order once', async () => {
  const name = randomUUID();
  const batchId = await sender.send(rowsTo(45, name));
  const others = [service, second, service, second].map(({ service: { deps } }) =>
    // One of them may wait too long for the other.
    sender.work(batchId, deps).catch((error: { code?: string }) => assert.equal(error.code, '55P03')),
  );
  await Promise.all(others);
  await sender.work(batchId);
  await assertResults(batchId, name, 45);
});

test('a form that is sent and started ten times buys once', async () => {
  const name = randomUUID();
  const form = randomUUID();
  const ids = await Promise.all(Array.from({ length: 5 }, () => sender.draft(rowsTo(15, name), form)));
  assert.equal(new Set(ids).size, 1);
  const [batchId = ''] = ids;
  const answers = await Promise.all(Array.from({ length: 10 }, () => sender.start(batchId, 15_000)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  await sender.work(batchId);
  await assertResults(batchId, name, 15);
  const late = await admin.call('PUT', sender.path(`/${batchId}/rows`), { first_row: 1, rows: rowsTo(1) });
  assert.deepEqual([late.status, late.body.error.code], [422, 'refused']);
});

test('a batch canceled while it is placed and claimed keeps the claimed gifts alone', async () => {
  const name = randomUUID();
  const before = await balanceOf(service, organization, 'sandbox');
  const batchId = await sender.send(rowsTo(40, name));
  const killed = killedAfter(service.service.deps, 18);
  await sender.work(batchId, killed.deps).catch(() => undefined);
  const gifts = await service.sql<{ gift_id: string }>('select gift_id from gifts where address like $1', [
    `${name}-%`,
  ]);
  assert.ok(gifts.length >= 10, `${gifts.length} gifts`);
  const { body } = await admin.call('GET', sender.path(`/${batchId}/rows?limit=100`));
  const ids = body.data.flatMap(({ gift_id }: { gift_id: string | null }) => gift_id ?? []);
  const [claims] = await Promise.all([
    Promise.all(ids.slice(0, 5).map((id: string) => organization.sandbox.post(`/v1/sandbox/gifts/${id}/claim`, {}))),
    admin.call('POST', sender.path(`/${batchId}/cancel`), { reason: 'Wrong file' }),
    sender.work(batchId).catch(() => undefined),
  ]);
  const { state } = await sender.settle(batchId);
  assert.equal(state, 'ended');
  const claimed = claims.filter(({ status }: { status: number }) => status === 200).length;
  const rows = await service.sql<{ is_claimed: boolean; is_canceled: boolean }>(
    `select claimed_at is not null as is_claimed, canceled_at is not null as is_canceled from gifts where address like $1`,
    [`${name}-%`],
  );
  assert.equal(rows.filter(({ is_claimed }) => is_claimed).length, claimed);
  assert.ok(rows.every(({ is_claimed, is_canceled }) => is_claimed !== is_canceled));
  assert.equal(await balanceOf(service, organization, 'sandbox'), before - claimed * 1000);
  const { placed, refused } = await sender.show(batchId);
  assert.deepEqual([placed, placed + refused], [rows.length, 40]);
});

test('a cancellation waits for an order whose process died while it was placed', async (t) => {
  const before = await balanceOf(service, organization, 'sandbox');
  const batchId = await sender.send(rowsTo(5));
  // The order commits only when this lock is free, as one does that waits for a standby.
  const standby = new Client(service.target);
  t.after(() => standby.end());
  await standby.connect();
  await standby.query(`
    select pg_advisory_lock(77);
    create function wait_for_standby() returns trigger language plpgsql as $$ begin
      perform set_config('lock_timeout', '0', true), pg_advisory_xact_lock(77);
      return null;
    end $$;
    create trigger waits_for_standby after insert on orders for each row
      when (new.idempotency_key = '${batchId}_1') execute function wait_for_standby()`);
  const [admins] = await service.sql<{ member_id: string }>('select member_id from members where email = $1', [
    'admin@example.com',
  ]);
  const rows = await service.sql<{ gift: GiftInputBody }>(
    'select gift from batch_rows where batch_id = $1 order by row_number',
    [decodeId('batch', batchId)],
  );
  const buyer = memberBuyer(
    { organizationId: organization.organizationUuid, environment: 'sandbox' },
    { kind: 'member', memberId: admins?.member_id ?? '', email: 'admin@example.com', address: '127.0.0.1' },
  );
  const body = { gifts: rows.map(({ gift }) => gift) };
  const placing = placeOrder(second.service.deps, buyer, `${batchId}_1`, body, undefined);
  const isWaiting = `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`;
  await until(async () => (await service.sql(isWaiting)).length > 0, 'the order waits');
  assert.equal((await admin.call('POST', sender.path(`/${batchId}/cancel`), { reason: 'Wrong file' })).status, 200);
  await assert.rejects(sender.work(batchId), { code: '55P03' });
  await standby.query('select pg_advisory_unlock(77)');
  await placing;
  const { state, placed, refused } = await sender.settle(batchId);
  assert.deepEqual([state, placed, refused], ['ended', 5, 0]);
  assert.equal(await balanceOf(service, organization, 'sandbox'), before);
  await verifyAll(service);
});

test('a recipient erased after a crash keeps every other row at its own gift', async () => {
  const name = randomUUID();
  const batchId = await sender.send(rowsTo(20, name));
  const uuid = decodeId('batch', batchId);
  const orders = () => service.sql(`select from orders where idempotency_key like $1`, [`${batchId}%`]);
  // Killed after the first order was placed, before that was noted.
  for (let query = 1; (await orders()).length === 0; query += 1)
    await sender.work(batchId, killedAfter(service.service.deps, query).deps).catch(() => undefined);
  assert.equal(
    (await service.sql('select from batch_rows where batch_id = $1 and order_id is null', [uuid])).length,
    20,
  );
  for (const row of [3, 14])
    await eraseRecipient(service.service.deps, {
      recipient: { method: 'email', email: `${name}-${row}@example.com` },
      actor: OPERATOR,
    });
  await sender.settle(batchId);
  const { body } = await admin.call('GET', sender.path(`/${batchId}/rows?limit=100`));
  assert.deepEqual(
    body.data.map((row: { address: string | null; error: { code: string } | null }) => row.error?.code ?? row.address),
    Array.from({ length: 20 }, (_, n) => (n === 2 || n === 13 ? 'erased' : `${name}-${n + 1}@example.com`)),
  );
  assert.equal((await giftsTo(name)).length, 18);
  const { placed, refused } = await sender.show(batchId);
  assert.deepEqual([placed, refused], [19, 1]);
  await verifyAll(service);
});
