import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { createApiClient, linkGift } from '../../harness/api-client.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createRecipient, numberOn } from '../../harness/recipient.ts';
import { SECRET_OF_BOTH, serveBefore } from '../../harness/release-before.ts';
import { temporaryDirectory } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

// During a rolling upgrade the release before serves beside this one, on the new schema.

const first = openForFile(() => startTestService());
const service = openForFile(() => first.second({}, [SECRET_OF_BOTH]));
const organization = openForFile(() => service.organization());
let earlier: string;

const ends: (() => Promise<void>)[] = [];
after(async () => {
  for (const end of ends) await end();
});
before(async () => {
  // Both at the same time, because links and keys of the other have a time.
  await service.clock.jump(performance.timeOrigin + performance.now() - service.clock.now());
  const directory = await temporaryDirectory({ after: (end) => ends.push(end) });
  earlier = (await serveBefore(service, directory).ready()).address;
});

/** Each process has its own address. */
const tokenOf = (gift: { delivery: { link: string } }) => new URL(gift.delivery.link).pathname;

/** Each release, and the other one. */
const both = () =>
  [
    [earlier, service.url],
    [service.url, earlier],
  ] as const;

test('an order that one release placed is replayed by the other, charged once', async () => {
  for (const environment of ['sandbox', 'live'] as const)
    for (const [one, other] of both()) {
      const start = await balanceOf(service, organization, environment);
      const order = {
        gifts: [
          { ...linkGift(), personalization: { recipient_name: 'Ada', message: 'Thank you' } },
          { ...linkGift(), delivery: { method: 'email', email: 'ada@example.com' } },
        ],
      };
      const key = `${environment} ${one}`;
      const placeAt = (url: string) =>
        createApiClient(url, organization.keys[environment]).post('/v1/orders', order, { 'Idempotency-Key': key });
      const [placed, replayed] = [await placeAt(one), await placeAt(other)];
      assert.deepEqual([placed.status, replayed.status], [201, 200], JSON.stringify(replayed.body));
      assert.equal(replayed.body.order_id, placed.body.order_id);
      assert.equal(await balanceOf(service, organization, environment), start - 5_000);
      const gift = placed.body.gifts[0];
      const read = await createApiClient(other, organization.keys[environment]).get(`/v1/gifts/${gift.gift_id}`);
      assert.deepEqual([read.status, tokenOf(read.body)], [200, tokenOf(gift)]);
    }
});

test('a gift of one release is opened, claimed and read at the other', async () => {
  for (const [one, other] of both()) {
    const { body } = await createApiClient(one, organization.keys.sandbox).order([linkGift()]);
    const { link } = body.gifts[0].delivery;
    const recipient = createRecipient({ url: other });
    await recipient.press(link, 'open');
    await recipient.press(link, 'claim');
    const number = numberOn(await recipient.press(link, 'reveal'));
    assert.ok(number);
    const [gift] = await service.sql<{ claimed_at: Date | null }>('select claimed_at from gifts where gift_id = $1', [
      decodeId('gift', body.gifts[0].gift_id),
    ]);
    assert.notEqual(gift?.claimed_at, null);
  }
});

test('a key that one release made, and revoked, is the same at the other', async () => {
  const key = await organization.newKey('sandbox');
  for (const url of [earlier, service.url])
    assert.equal((await createApiClient(url, key).get('/v1/balance')).status, 200);
  await service.sql('update api_keys set revoked_at = now() where organization_id = $1', [
    organization.organizationUuid,
  ]);
  for (const url of [earlier, service.url]) {
    const { status, body } = await createApiClient(url, key).get('/v1/balance');
    assert.deepEqual([status, body.error.code], [401, 'api_key_revoked']);
  }
});

test('the token of an agent opens nothing at the release before', async () => {
  const { status, body } = await createApiClient(earlier, 'bestow-agent-sandbox-x').get('/v1/balance');
  assert.deepEqual([status, body.error.code], [401, 'api_key_invalid']);
});
