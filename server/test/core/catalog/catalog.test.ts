import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCategory } from '../../../src/core/catalog/add-category.ts';
import { retireCategory } from '../../../src/core/catalog/retire-category.ts';
import { updateCategory } from '../../../src/core/catalog/update-category.ts';
import { assertError, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const baseUrl = () => service.service.deps.publicUrl();

const seeded = (id: string) => ({
  id,
  name: id,
  description: `For people who like ${id}.`,
  artwork: null,
  product_details_url: `${baseUrl()}/catalog/${id}`,
});

test('the catalog is one ordered list, the same for every key', async () => {
  const { sandbox, live } = await service.organization();
  const expected = { object: 'list', data: ['coffee', 'books', 'travel'].map(seeded), has_more: false };
  for (const client of [sandbox, live]) {
    const { status, body } = await client.get('/v1/categories');
    assert.deepEqual([status, body], [200, expected]);
  }
  assertError(await service.api().get('/v1/categories'), 'api_key_missing');
});

test('built-in artwork and pages follow the service’s URL; other URLs stay', async () => {
  const { sandbox } = await service.organization();
  const { deps } = service.service;
  const art = { id: 'art', name: 'Art & “more”', description: 'For painters.' };
  await addCategory(deps, { ...art, artwork: '/artwork/coffee.svg', position: 0 });
  const shown = async () =>
    (await sandbox.get('/v1/categories')).body.data.find(({ id }: { id: string }) => id === 'art');
  const own = { ...art, artwork: `${baseUrl()}/artwork/coffee.svg`, product_details_url: `${baseUrl()}/catalog/art` };
  assert.deepEqual(await shown(), own);
  const first = (await sandbox.get('/v1/categories')).body.data[0];
  assert.equal(first.id, 'art');

  const picture = await fetch(own.artwork.replace('localhost', '127.0.0.1'));
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/svg+xml']);
  const page = await fetch(own.product_details_url.replace('localhost', '127.0.0.1'));
  assert.equal(page.status, 200);
  assert.ok((await page.text()).includes('Art &#38; “more”'));

  const elsewhere = { artwork: 'https://cdn.example.com/art.png', productDetailsUrl: 'https://example.com/art?a=1' };
  await updateCategory(deps, 'art', elsewhere);
  assert.deepEqual(await shown(), {
    ...art,
    artwork: elsewhere.artwork,
    product_details_url: elsewhere.productDetailsUrl,
  });
  const other = await service.second({ PUBLIC_URL: 'https://gifts.example.com/shop/' });
  const { keys } = await service.organization();
  const { data } = (await other.api(keys.live).get('/v1/categories')).body;
  assert.equal(data[1].product_details_url, 'https://gifts.example.com/shop/catalog/coffee');
});

test('an unknown or retired category cannot be ordered; its gifts stay', async () => {
  const { sandbox } = await service.organization();
  const { deps } = service.service;
  const ids = async () => (await sandbox.get('/v1/categories')).body.data.map(({ id }: { id: string }) => id);
  const bought = (await sandbox.order([gift({ category: 'travel' })], 'one')).body;
  assert.ok((await ids()).includes('travel'));
  await retireCategory(deps, 'travel');
  assert.ok(!(await ids()).includes('travel'));
  const order = [linkGift(), gift({ category: 'travel' })];
  assertError(await sandbox.order(order, 'two'), 'parameter_invalid', 'gifts[1].category');
  for (const category of ['nothing', 'Coffee', 'coffee ', ' coffee', 'coffée', "coffee'--", '__proto__'])
    assertError(await sandbox.order([gift({ category })]), 'parameter_invalid', 'gifts[0].category');
  assert.deepEqual((await sandbox.get(`/v1/gifts/${bought.gifts[0].gift_id}`)).body, bought.gifts[0]);
  // A replay is answered before the rules that may have changed.
  const replay = await sandbox.order([gift({ category: 'travel' })], 'one');
  assert.deepEqual([replay.status, replay.body], [200, bought]);
  await updateCategory(deps, 'travel', { isReinstated: true });
  assert.ok((await ids()).includes('travel'));
  assert.equal((await sandbox.order(order, 'two')).status, 201);
});

test('the whole catalog is one response without parameters', async () => {
  const { sandbox } = await service.organization();
  const { deps } = service.service;
  for (let number = 1; number <= 120; number += 1)
    await addCategory(deps, { id: `bulk-${number}`, name: `Bulk ${number}`, description: 'For many.' });
  const all = (await sandbox.get('/v1/categories')).body;
  assert.deepEqual([all.data.length >= 123, all.has_more], [true, false]);
  for (const param of ['limit', 'starting_after', 'ending_before'])
    assertError(await sandbox.get(`/v1/categories?${param}=1`), 'parameter_invalid', param);
});
