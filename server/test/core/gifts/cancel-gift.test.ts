import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { giftLink, openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

async function buy({ sandbox }: TestOrganization, one: object, client = sandbox) {
  const [bought] = (await client.order([one])).body.gifts;
  return { bought, path: `/v1/gifts/${bought.gift_id}`, uuid: decodeId('gift', bought.gift_id) };
}

const now = () => new Date(service.clock.now()).toISOString();

test('an unclaimed gift is void, and its amount is back in the balance', async () => {
  const organization = await service.organization();
  for (const environment of ['live', 'sandbox'] as const) {
    const { bought, path, uuid } = await buy(organization, linkGift(4200), organization[environment]);
    const { status, body } = await organization[environment].post(`${path}/cancel`, { reason: 'Ordered twice' });
    const cancellation = { canceled_at: now(), reason: 'Ordered twice', refunded: 4200 };
    assert.deepEqual([status, body], [200, { ...bought, cancellation }]);
    assert.deepEqual((await organization[environment].get(path)).body, body);
    assert.deepEqual((await organization[environment].get('/v1/gifts')).body.data, [body]);
    assert.deepEqual((await organization[environment].get('/v1/orders')).body.data[0].gifts, [body]);
    assert.equal(await balanceOf(service, organization, environment), 1_000_000);
    const entries = await service.sql(
      `select kind, amount_cents::integer, balance_after_cents::integer, order_id, gift_id from ledger_entries
       where organization_id = $1 and environment = $2 order by entry_id desc limit 1`,
      [organization.organizationUuid, environment],
    );
    const refund = {
      kind: 'refund',
      amount_cents: 4200,
      balance_after_cents: 1_000_000,
      order_id: null,
      gift_id: uuid,
    };
    assert.deepEqual(entries, [refund]);
  }
  await verifyAll(service);
});

test('canceling again, with another reason or none, changes nothing', async () => {
  const organization = await service.organization();
  const { path } = await buy(organization, emailGift('opened'));
  const first = await organization.sandbox.post(`${path}/cancel`);
  assert.deepEqual(first.body.cancellation, { canceled_at: now(), reason: null, refunded: 2500 });
  assert.equal(first.body.delivery.status, 'opened');
  await service.clock.advance(1000);
  const again = await organization.sandbox.post(`${path}/cancel`, { reason: 'Another' });
  assert.deepEqual([again.status, again.body], [200, first.body]);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000);
});

test('a claimed gift cannot be canceled, and an unknown one is missing', async () => {
  const organization = await service.organization();
  const { path } = await buy(organization, emailGift('claimed'));
  assertError(await organization.sandbox.post(`${path}/cancel`), 'gift_already_redeemed');
  assertError(await organization.live.post(`${path}/cancel`), 'resource_missing');
  assertError(await (await service.organization()).sandbox.post(`${path}/cancel`), 'resource_missing');
  assert.equal(await balanceOf(service, organization, 'sandbox'), 997_500);
});

test('the reason is one line of 1 to 200 characters', async () => {
  const organization = await service.organization();
  const { path } = await buy(organization, linkGift());
  for (const reason of ['', 'two\nlines', 'x'.repeat(201), 1])
    assertError(await organization.sandbox.post(`${path}/cancel`, { reason }), 'parameter_invalid', 'reason');
  assertError(await organization.sandbox.post(`${path}/cancel`, { why: 'x' }), 'parameter_invalid', 'why');
  assert.equal((await organization.sandbox.post(`${path}/cancel`, { reason: '🎁'.repeat(200) })).status, 200);
});

test('every later act on a canceled gift is refused', async () => {
  const organization = await service.organization();
  for (const one of [emailGift('neutral'), emailGift('bounced'), linkGift()]) {
    const { bought, path } = await buy(organization, one);
    const { body } = await organization.sandbox.post(`${path}/cancel`);
    assert.equal(body.delivery.status, bought.delivery.status);
    for (const act of ['deliver', 'open', 'claim', 'spend'])
      assert.equal(
        (await organization.sandbox.post(`/v1/sandbox${path.slice(3)}/${act}`)).body.error.reason,
        'gift_canceled',
      );
    for (const act of ['link', 'resend'])
      assertError(await organization.sandbox.post(`${path}/${act}`), 'gift_canceled');
    const elsewhere = { method: 'email', email: 'pat@example.com' };
    assertError(
      await organization.sandbox.put(`${path}/delivery`, elsewhere),
      'gift_delivery_not_updatable',
      undefined,
      'gift_canceled',
    );
    assert.deepEqual((await organization.sandbox.get(path)).body, body);
  }
});

test('the recipient’s page says that a canceled gift is no longer available', async () => {
  const organization = await service.organization();
  const { path } = await buy(organization, linkGift());
  const link = await giftLink(service, organization, 'sandbox');
  await organization.sandbox.post(`${path}/cancel`, { reason: 'A secret reason' });
  for (const act of ['open', 'claim', 'renew'])
    assert.equal((await openLink(service, `${link}/${act}`, 'POST')).status, 410, act);
  const { status, text } = await openLink(service, link);
  assert.equal(status, 410);
  assert.match(text, /This gift is no longer available/);
  assert.doesNotMatch(text, /secret reason|\$/);
  await service.clock.jump(40 * 86_400_000);
  assert.match((await openLink(service, link)).text, /no longer available/);
  assert.equal((await organization.sandbox.get(path)).status, 200);
});

test('a message that waits is withdrawn, and a later event about it changes nothing', async () => {
  const organization = await service.organization();
  const { bought, path, uuid } = await buy(organization, gift(), organization.live);
  const { body } = await organization.live.post(`${path}/cancel`);
  assert.deepEqual(body.delivery, bought.delivery);
  const messages = await service.sql('select state, reason from deliveries where gift_id = $1', [uuid]);
  assert.deepEqual(messages, [{ state: 'failed', reason: 'The gift was canceled before it was sent.' }]);
});

test('an Idempotency-Key cancels once, and belongs to its path and body', async () => {
  const organization = await service.organization();
  const [{ path }, other] = [await buy(organization, linkGift()), await buy(organization, linkGift())];
  const headers = { 'Idempotency-Key': 'cancel once' };
  const first = await organization.sandbox.post(`${path}/cancel`, { reason: 'a' }, headers);
  const again = await organization.sandbox.post(`${path}/cancel`, { reason: 'a' }, headers);
  assert.deepEqual([again.status, again.body], [200, first.body]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  for (const [otherPath, reason] of [
    [path, 'b'],
    [other.path, 'a'],
  ])
    assertError(await organization.sandbox.post(`${otherPath}/cancel`, { reason }, headers), 'idempotency_key_reused');
});

test('the database refuses to undo a cancellation and to claim a canceled gift', async () => {
  const organization = await service.organization();
  const { path, uuid } = await buy(organization, linkGift());
  await organization.sandbox.post(`${path}/cancel`);
  for (const change of [
    'canceled_at = null',
    'canceled_at = now()',
    'opened_at = now(), claimed_at = now(), card_id = gift_id',
  ])
    await assert.rejects(service.sql(`update gifts set ${change} where gift_id = $1`, [uuid]), /cannot be changed/);
  const claimed = await buy(organization, emailGift('claimed'));
  await assert.rejects(
    service.sql('update gifts set canceled_at = now() where gift_id = $1', [claimed.uuid]),
    /gifts_cancellation/,
  );
  await assert.rejects(
    service.sql(
      `insert into ledger_entries (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents, gift_id, created_at)
       select organization_id, environment, gen_random_uuid(), 'refund', 2500, 1000000, gift_id, now() from gifts where gift_id = $1`,
      [uuid],
    ),
    /ledger_entries_refund/,
  );
});

test('an event says what was canceled', async () => {
  const organization = await service.organization();
  const { path, uuid } = await buy(organization, linkGift());
  await organization.sandbox.post(`${path}/cancel`, { reason: 'Ordered twice' });
  const [event] = await service.sql(
    `select type, gift_id, data from events where organization_id = $1 and environment = 'sandbox' order by sequence desc limit 1`,
    [organization.organizationUuid],
  );
  const cancellation = { canceled_at: now(), reason: 'Ordered twice', refunded: 2500 };
  assert.deepEqual(event, { type: 'gift.canceled', gift_id: uuid, data: { cancellation } });
});

test('a sandbox with refunds is reset, and counts its entries', async () => {
  const organization = await service.organization();
  const { path } = await buy(organization, linkGift());
  await organization.sandbox.post(`${path}/cancel`);
  const { body } = await organization.sandbox.post('/v1/sandbox/reset');
  assert.deepEqual([body.gifts_deleted, body.ledger_entries_deleted], [1, 3]);
});
