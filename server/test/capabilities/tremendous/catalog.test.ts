import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { CampaignsApi, Configuration, OrdersApi, ProductsApi } from 'tremendous';
import { startTremendous } from './server.ts';

async function start() {
  const { url, apiKey: accessToken } = await startTremendous({ now: () => Date.parse('2026-11-21T12:00:00Z') });
  return new Configuration({ basePath: `${url}/api/v2`, accessToken });
}

test('products are filtered and have pictures; a campaign names its products', async () => {
  const configuration = await start();
  const { data } = await new ProductsApi(configuration).listProducts('DE,AT', 'EUR', 'food_and_drink');
  const [product, ...others] = data.products;
  assert.deepEqual([product?.id, others], ['CORNERCAFEDE', []]);
  const picture = await (await fetch(product?.images[0]?.src ?? '')).arrayBuffer();
  assert.equal((await sharp(picture).metadata()).format, 'png');
  const { campaign } = (await new CampaignsApi(configuration).getCampaign('CAMPCOFFEE')).data;
  assert.equal(campaign.products.length, 3);
});

test('a page above the documented limit is refused', async () => {
  const orders = new OrdersApi(await start());
  const listOf = (limit: number) => orders.listOrders(0, undefined, undefined, undefined, undefined, limit);
  assert.deepEqual((await listOf(500)).data, { orders: [], total_count: 0 });
  await assert.rejects(listOf(501), { status: 400 });
});
