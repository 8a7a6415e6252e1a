import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { giftsPath } from '../../harness/portal-gifts.ts';
import { giftLink, openLink, startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

test('an email gift is sent once more, and its earlier link stays valid', async () => {
  const organization = await service.organization();
  const [{ gift_id }] = (await organization.live.order([gift()])).body.gifts;
  const link = await giftLink(service, organization, 'live');
  await service.clock.advance(1000);
  const { status, body } = await organization.live.post(`/v1/gifts/${gift_id}/resend`);
  assert.deepEqual([status, body.delivery], [200, { method: 'email', status: 'sent', email: 'someone@example.com' }]);
  assert.equal((await openLink(service, link)).status, 200);
  const messages = await service.sql<{ version: number; days: number; address: string }>(
    `select address, link_version as version, extract(day from link_expires_at - created_at)::integer as days
     from deliveries where organization_id = $1`,
    [organization.organizationUuid],
  );
  const message = { address: 'someone@example.com', version: 1, days: 30 };
  assert.deepEqual(messages, [message, message]);
});

test('in the sandbox the address steers what is sent again', async () => {
  const { sandbox } = await service.organization();
  const [{ gift_id }] = (await sandbox.order([emailGift('bounced')])).body.gifts;
  assert.equal((await sandbox.post(`/v1/gifts/${gift_id}/resend`)).body.delivery.status, 'failed');
});

test('a gift that cannot be sent again says why', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const place = async (one: object) => `/v1/gifts/${(await sandbox.order([one])).body.gifts[0].gift_id}`;
  assertError(await sandbox.post(`${await place(linkGift())}/resend`), 'gift_delivery_not_updatable');
  assertError(await sandbox.post(`${await place(emailGift('claimed'))}/resend`), 'gift_already_redeemed');
  const canceled = await place(gift());
  await sandbox.post(`${canceled}/cancel`);
  assertError(await sandbox.post(`${canceled}/resend`), 'gift_canceled');
  const held = await place(gift());
  await service.sql('update gifts set held_at = now() where gift_id = (select max(gift_id::text)::uuid from gifts)');
  assertError(await sandbox.post(`${held}/resend`), 'gift_on_hold');
});

test('resends share the limit of redirects and new links, and a key makes one of two', async () => {
  const { sandbox } = await service.organization();
  const [{ gift_id }] = (await sandbox.order([gift()])).body.gifts;
  const path = `/v1/gifts/${gift_id}`;
  const once = { 'Idempotency-Key': 'again' };
  const first = await sandbox.post(`${path}/resend`, undefined, once);
  const retry = await sandbox.post(`${path}/resend`, undefined, once);
  assert.deepEqual([first.status, retry.status, retry.body], [200, 200, first.body]);
  assert.deepEqual(
    [first, retry].map(({ headers }) => headers.get('idempotent-replayed')),
    [null, 'true'],
  );
  assertError(await sandbox.post(`${path}/link`, undefined, once), 'idempotency_key_reused');
  assert.equal((await sandbox.post(`${path}/link`)).status, 200);
  for (let count = 3; count <= 5; count += 1) assert.equal((await sandbox.post(`${path}/resend`)).status, 200);
  assertError(await sandbox.post(`${path}/resend`), 'gift_resend_limit_reached');
});

test('of many resends at once, as many succeed as the limit has left', async () => {
  const { sandbox } = await service.organization();
  const [{ gift_id }] = (await sandbox.order([gift()])).body.gifts;
  const answers = await Promise.all(Array.from({ length: 20 }, () => sandbox.post(`/v1/gifts/${gift_id}/resend`)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 5);
});

test('an admin sends a gift again in the portal', async () => {
  const organization = await service.organization();
  const [{ gift_id }] = (await organization.sandbox.order([gift()])).body.gifts;
  const admin = await createPortalClient(service, 'admin@example.com');
  const { status, body } = await admin.call('POST', giftsPath(organization, `/${gift_id}/resend`), {
    press_id: '0b5a8f0e-8a3c-4d0e-9a56-0d7c1c2f4e11',
  });
  assert.deepEqual([status, body.redirect.left], [200, 4]);
});
