import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { eraseGiftName } from '../../../src/capabilities/erasure/erase-gift-name.ts';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { fingerprintOf } from '../../../src/platform/base/fingerprint.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const guess = [gift({ delivery: { method: 'email', email: 'ada@example.com' } })];
const plain = (gifts: object[]) => Buffer.from(fingerprintOf({ gifts }), 'hex');
const salted = (orderId: string, gifts: object[]) =>
  createHash('sha256')
    .update(Buffer.from(orderId.replaceAll('-', ''), 'hex'))
    .update(plain(gifts))
    .digest();

const stored = ({ organizationUuid }: TestOrganization) =>
  service.sql<{ order_id: string; fingerprint: Buffer }>(
    'select order_id, fingerprint from orders where organization_id = $1 order by order_id',
    [organizationUuid],
  );

test('equal bodies have different fingerprints, and a retry still gets its order', async () => {
  const organization = await service.organization();
  const first = await organization.sandbox.order(guess, 'one');
  await organization.sandbox.order(guess, 'two');
  const rows = await stored(organization);
  assert.deepEqual(
    rows.map(({ fingerprint }) => fingerprint),
    rows.map(({ order_id }) => salted(order_id, guess)),
  );
  const retry = await organization.sandbox.order(guess, 'one');
  assert.deepEqual([retry.status, retry.body], [200, first.body]);
  assert.equal((await organization.sandbox.order([linkGift()], 'one')).body.error.code, 'idempotency_key_reused');
});

test('an order of an earlier release, whose fingerprint has no salt, is replayed', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order(guess, 'old');
  await service.sql('update orders set fingerprint = $2 where organization_id = $1', [
    organization.organizationUuid,
    plain(guess),
  ]);
  assert.deepEqual((await organization.sandbox.order(guess, 'old')).body, body);
  assert.equal((await organization.sandbox.order([linkGift()], 'old')).body.error.code, 'idempotency_key_reused');
});

for (const isOld of [false, true])
  test(`${isOld ? 'an earlier' : 'a new'} fingerprint does not confirm an erased address`, async () => {
    const organization = await service.organization();
    const placed = await organization.sandbox.order(guess, 'key');
    if (isOld)
      await service.sql('update orders set fingerprint = $2 where organization_id = $1', [
        organization.organizationUuid,
        plain(guess),
      ]);
    await eraseRecipient(service.service.deps, {
      organizationId: organization.organizationId,
      recipient: { method: 'email', email: 'ada@example.com' },
      actor: OPERATOR,
    });
    for (const { order_id, fingerprint } of await stored(organization)) {
      assert.notDeepEqual(fingerprint, plain(guess));
      assert.notDeepEqual(fingerprint, salted(order_id, guess));
    }
    const retry = await organization.sandbox.order(guess, 'key');
    assert.deepEqual([retry.status, retry.body.order_id], [200, placed.body.order_id]);
  });

test('the name on a link gift can be erased, once', async () => {
  const organization = await service.organization();
  const named = [{ ...linkGift(), personalization: { recipient_name: 'Ada Lovelace' } }];
  const { body } = await organization.live.order(named, 'named');
  const [{ gift_id: giftId, personalization }] = body.gifts;
  assert.equal(personalization.recipient_name, 'Ada Lovelace');
  const erase = () => eraseGiftName(service.service.deps, { giftId, actor: OPERATOR });
  assert.deepEqual([await erase(), await erase()], [1, 0]);
  assert.equal((await organization.live.get(`/v1/gifts/${giftId}`)).body.personalization.recipient_name, undefined);
  const [row] = await stored(organization);
  assert.notDeepEqual(row?.fingerprint, salted(row?.order_id ?? '', named));
  await assert.rejects(
    eraseGiftName(service.service.deps, { giftId: encodeId('gift', row?.order_id ?? ''), actor: OPERATOR }),
    {
      message: /^There is no gift gift_\w+\.$/,
    },
  );
});
