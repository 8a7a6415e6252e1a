import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { mixedGifts, processed, readOrder } from '../../harness/processing-orders.ts';
import { openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

// See docs/decisions.md#orders.

const service = openForFile(() => startTestService());

/** Reads the ids of the pending gifts from the database. */
async function pendingGifts({ organizationUuid }: TestOrganization): Promise<{ uuid: string; gift_id: string }[]> {
  const rows = await service.sql<{ pending_gifts: { gift_id: string }[] | null }>(
    'select pending_gifts from orders where organization_id = $1',
    [organizationUuid],
  );
  return rows.flatMap(({ pending_gifts }) =>
    (pending_gifts ?? []).map(({ gift_id }) => ({ uuid: gift_id, gift_id: encodeId('gift', gift_id) })),
  );
}

const scopeOf = ({ organizationUuid }: TestOrganization) =>
  ({ organizationId: organizationUuid, environment: 'sandbox' }) as const;

test('an order stays processing for twenty seconds and then shows all gifts', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const placed = await sandbox.order(mixedGifts, 'the key');
  assert.deepEqual([placed.status, placed.body.status], [201, 'processing']);
  const statuses = ({ gifts }: { gifts: { delivery: { status: string } }[] }) =>
    gifts.map(({ delivery }) => delivery.status);
  assert.deepEqual(statuses(placed.body), ['opened', 'sent']);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 21_000);
  assert.deepEqual((await verifyLedger(service.service.deps)).culprits, []);
  const before = async () => {
    assert.deepEqual(await readOrder(sandbox, placed.body.order_id), placed.body);
    assert.deepEqual((await sandbox.get('/v1/orders')).body.data, [placed.body]);
    assert.deepEqual((await sandbox.get('/v1/gifts')).body.data, placed.body.gifts.toReversed());
    const replay = await sandbox.order(mixedGifts, 'the key');
    assert.deepEqual([replay.status, replay.body], [200, placed.body]);
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
  };
  await before();
  await service.clock.advance(19_000);
  await before();
  await service.clock.advance(999);
  await before();

  await service.clock.advance(2_000);
  const order = await processed(service, sandbox, placed.body.order_id);
  assert.deepEqual(order.gifts.slice(0, 2), placed.body.gifts);
  assert.deepEqual(
    order.gifts.map((one) => ({ ...one, gift_id: '' })),
    (mixedGifts as { amount: number; delivery: Record<string, string> }[]).map(({ amount, delivery }, index) => ({
      gift_id: '',
      amount,
      category: 'coffee',
      delivery: {
        ...delivery,
        status: ['opened', 'sent', 'sent', 'claimed', 'failed', 'sent'][index],
        ...(delivery['method'] === 'link'
          ? { link: (order.gifts[index] as unknown as { delivery: { link: string } }).delivery.link }
          : {}),
      },
      personalization: { sender_name: 'Test Organization' },
    })),
  );
  const replay = await sandbox.order(mixedGifts, 'the key');
  assert.deepEqual([replay.status, replay.body], [200, order]);
  for (const one of order.gifts) assert.deepEqual((await sandbox.get(`/v1/gifts/${one.gift_id}`)).body, one);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 21_000);
  const { holds, culprits } = await verifyLedger(service.service.deps);
  assert.deepEqual([holds, culprits], [true, []]);
});

test('a pending gift is not visible anywhere', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const { body } = await sandbox.order([gift({ delivery: { method: 'phone', phone: '+12025550105' } }), linkGift()]);
  assert.deepEqual([body.status, body.gifts], ['processing', []]);
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, [body]);
  assert.deepEqual((await sandbox.get('/v1/gifts')).body, { object: 'list', data: [], has_more: false });
  const pending = await pendingGifts(organization);
  assert.equal(pending.length, 2);
  for (const { uuid, gift_id } of pending) {
    assertError(await sandbox.get(`/v1/gifts/${gift_id}`), 'resource_missing');
    const target = { method: 'email', email: 'ada@example.com' };
    assertError(await sandbox.put(`/v1/gifts/${gift_id}/delivery`, target), 'resource_missing');
    for (const act of ['deliver', 'open', 'claim', 'spend'])
      assertError(await sandbox.post(`/v1/sandbox/gifts/${gift_id}/${act}`), 'resource_missing');
    for (const cursor of ['starting_after', 'ending_before'])
      assertError(await sandbox.get(`/v1/gifts?${cursor}=${gift_id}`), 'cursor_invalid', cursor);
    const expiresAtMs = service.clock.now() + 1_000_000;
    const link = service.service.deps.links.url({ ...scopeOf(organization), giftId: uuid, version: 1, expiresAtMs });
    assert.equal((await openLink(service, link)).status, 404);
  }
});

test('a balance that covers only the first gifts is insufficient', async () => {
  const { sandbox } = await service.organization({ sandbox: 20_999 });
  assertError(await sandbox.order(mixedGifts), 'insufficient_balance');
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, []);
});

test('gifts created later are listed at the time of their purchase', async () => {
  const { sandbox } = await service.organization();
  const first = (await sandbox.order([linkGift(1000)])).body;
  const second = (await sandbox.order([linkGift(2000), emailGift('processing', 3000), linkGift(4000)])).body;
  await service.clock.advance(5_000);
  const third = (await sandbox.order([linkGift(5000), linkGift(6000)])).body;
  const amounts = async () =>
    (await sandbox.get('/v1/gifts')).body.data.map(({ amount }: { amount: number }) => amount);
  assert.deepEqual(await amounts(), [6000, 5000, 2000, 1000]);
  await service.clock.advance(17_000);
  const completed = await processed(service, sandbox, second.order_id);
  assert.deepEqual(await amounts(), [6000, 5000, 4000, 3000, 2000, 1000]);
  assert.deepEqual((await sandbox.get('/v1/orders')).body.data, [third, completed, first]);
});

test('completing an order keeps changes of its first gifts', async () => {
  const { sandbox } = await service.organization();
  const { body } = await sandbox.order([emailGift('bounced'), linkGift(), emailGift('processing')]);
  const [email, link] = body.gifts;
  await sandbox.put(`/v1/gifts/${email.gift_id}/delivery`, { method: 'phone', phone: '+12025550143' });
  const claimed = (await sandbox.post(`/v1/sandbox/gifts/${link.gift_id}/claim`)).body;
  await service.clock.advance(22_000);
  const order = await processed(service, sandbox, body.order_id);
  const redirected = { ...email, delivery: { method: 'phone', status: 'sent', phone: '+12025550143' } };
  assert.deepEqual(order.gifts.slice(0, 2), [redirected, claimed]);
  assert.equal(order.gifts.length, 3);
});
