import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCategory } from '../../../src/core/catalog/add-category.ts';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { giftLink, openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

const DAY_MS = 86_400_000;

const service = openForFile(() => startTestService());

/** Moves the clock without waiting. */
const pass = (ms: number) => service.clock.setTime(service.clock.now() + ms);

const statusOf = async (link: string) => (await openLink(service, link)).status;

interface Gift {
  gift_id: string;
  delivery: { link: string };
}

async function orderLink({ sandbox }: TestOrganization): Promise<{ order_id: string; bought: Gift }> {
  const { body } = await sandbox.order([linkGift()], 'the key');
  return { order_id: body.order_id, bought: body.gifts[0] };
}

test('a link works for 30 days to the millisecond', async () => {
  const { bought } = await orderLink(await service.organization());
  const { link } = bought.delivery;
  assert.equal(await statusOf(link), 200);
  await pass(30 * DAY_MS - 1);
  assert.equal(await statusOf(link), 200);
  await pass(1);
  const { status, text } = await openLink(service, link);
  assert.equal(status, 410);
  assert.ok(text.includes('This link has expired'));
});

test('reading one gift renews an expired link; other answers do not', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const { order_id, bought } = await orderLink(organization);
  const shown = async () => ({
    list: (await sandbox.get('/v1/gifts')).body.data[0],
    order: (await sandbox.get(`/v1/orders/${order_id}`)).body.gifts[0],
    orders: (await sandbox.get('/v1/orders')).body.data[0].gifts[0],
    replay: (await sandbox.order([linkGift()], 'the key')).body.gifts[0],
  });
  const everywhere = (one: Gift) => ({ list: one, order: one, orders: one, replay: one });
  await pass(29 * DAY_MS);
  assert.deepEqual((await sandbox.get(`/v1/gifts/${bought.gift_id}`)).body, bought);
  await pass(2 * DAY_MS);
  assert.deepEqual(await shown(), everywhere(bought));
  assert.equal(await statusOf(bought.delivery.link), 410);

  const renewed = (await sandbox.get(`/v1/gifts/${bought.gift_id}`)).body;
  assert.notEqual(renewed.delivery.link, bought.delivery.link);
  assert.deepEqual(renewed, { ...bought, delivery: { ...bought.delivery, link: renewed.delivery.link } });
  assert.equal(await statusOf(renewed.delivery.link), 200);
  assert.equal(await statusOf(bought.delivery.link), 410);
  assert.deepEqual(await shown(), everywhere(renewed));
  assert.deepEqual((await sandbox.get(`/v1/gifts/${bought.gift_id}`)).body, renewed);
});

test('a simulation shows the old link, and the renewed link opens the claimed gift', async () => {
  const organization = await service.organization();
  const { bought } = await orderLink(organization);
  await pass(31 * DAY_MS);
  const claimed = await organization.sandbox.post(`/v1/sandbox/gifts/${bought.gift_id}/claim`);
  assert.equal(claimed.body.delivery.link, bought.delivery.link);
  const renewed = (await organization.sandbox.get(`/v1/gifts/${bought.gift_id}`)).body;
  const { status, text } = await openLink(service, renewed.delivery.link);
  assert.equal(status, 200);
  assert.ok(text.includes('This gift has been claimed.'));
});

test('concurrent reads of an expired link on two processes return working links', async () => {
  const organization = await service.organization();
  const other = await service.second();
  const clients = [organization.sandbox, other.api(organization.keys.sandbox)];
  for (let round = 0; round < 5; round += 1) {
    const { body } = await organization.sandbox.order([linkGift()]);
    const path = `/v1/gifts/${body.gifts[0].gift_id}`;
    await pass(31 * DAY_MS);
    const reads = await Promise.all([0, 1, 0, 1, 0, 1].map((index) => clients[index]?.get(path)));
    for (const read of reads) {
      assert.equal(read?.status, 200);
      assert.equal(await statusOf(read?.body.delivery.link), 200);
    }
  }
});

test('an old link works until its own expiry after a renewal', async () => {
  const { sandbox } = await service.organization();
  const { body } = await sandbox.order([linkGift()]);
  const [{ gift_id, delivery }] = body.gifts;
  // A link of a process whose clock was an hour ahead.
  const { links } = service.service.deps;
  const claims = links.read(delivery.link.slice(-76)) ?? assert.fail();
  const earlier = links.url({ ...claims, expiresAtMs: claims.expiresAtMs + 3_600_000 });
  await pass(30 * DAY_MS);
  const renewed = (await sandbox.get(`/v1/gifts/${gift_id}`)).body.delivery.link;
  assert.notEqual(renewed, earlier);
  assert.deepEqual([await statusOf(earlier), await statusOf(renewed)], [200, 200]);
  await pass(3_600_000);
  assert.deepEqual([await statusOf(earlier), await statusOf(renewed)], [410, 200]);
});

test('a redirect ends all earlier links', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const { body } = await sandbox.order([emailGift('bounced')]);
  const [{ gift_id }] = body.gifts;
  const linkNow = () => giftLink(service, organization, 'sandbox');
  const first = await linkNow();
  assert.equal(await statusOf(first), 200);
  const path = `/v1/gifts/${gift_id}/delivery`;
  await sandbox.put(path, { method: 'email', email: 'delivery-failed@sandbox.gift.test' });
  const second = await linkNow();
  assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200]);
  await pass(29 * DAY_MS);
  // A redirect starts a new lifetime.
  await sandbox.put(path, { method: 'phone', phone: '+12025550100' });
  const third = await linkNow();
  await pass(29 * DAY_MS);
  assert.deepEqual([await statusOf(first), await statusOf(second), await statusOf(third)], [404, 404, 200]);
});

test('a sandbox reset ends the links of its gifts', async () => {
  const organization = await service.organization();
  const { bought } = await orderLink(organization);
  assert.equal(await statusOf(bought.delivery.link), 200);
  await organization.sandbox.post('/v1/sandbox/reset');
  assert.equal(await statusOf(bought.delivery.link), 404);
  assertError(await organization.sandbox.get(`/v1/gifts/${bought.gift_id}`), 'resource_missing');
});

test('LINK_TTL_DAYS can be a fraction, and every link starts with PUBLIC_URL', async () => {
  const { keys } = await service.organization();
  const other = await service.second({ LINK_TTL_DAYS: '0.0001', PUBLIC_URL: 'https://gifts.example.com/shop/' });
  const { body } = await other.api(keys.sandbox).order([linkGift()]);
  const { link } = body.gifts[0].delivery;
  assert.match(link, /^https:\/\/gifts\.example\.com\/shop\/g\/[A-Za-z0-9_-]{76}$/);
  await pass(8_639);
  assert.equal((await openLink(other, link)).status, 200);
  await pass(1);
  assert.equal((await openLink(other, link)).status, 410);
  const renewed = (await other.api(keys.sandbox).get(`/v1/gifts/${body.gifts[0].gift_id}`)).body;
  assert.equal((await openLink(other, renewed.delivery.link)).status, 200);
});

test('a gift’s page may show a picture of another host', async () => {
  const { sandbox } = await service.organization();
  const artwork = 'https://cdn.example.com/art.png';
  await addCategory(service.service.deps, { id: 'art', name: 'Art', description: 'For painters.', artwork });
  const { body } = await sandbox.order([gift({ category: 'art', delivery: { method: 'link' } })]);
  await sandbox.post(`/v1/sandbox/gifts/${body.gifts[0].gift_id}/open`);
  const { text, headers } = await openLink(service, body.gifts[0].delivery.link);
  assert.ok(text.includes(`src="${artwork}"`));
  const policy = headers.get('content-security-policy') ?? '';
  assert.ok(policy.includes("img-src 'self' data: https://cdn.example.com;"), policy);
});
