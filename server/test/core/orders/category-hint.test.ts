import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainCategory } from '../../../src/core/orders/place-order.ts';
import type { OrderInputBody } from '../../../src/core/orders/schema.ts';
import { closestOf } from '../../../src/platform/base/closest.ts';
import { linkGift } from '../../harness/api-client.ts';
import { startTestService } from '../../harness/test-service.ts';

test('a person or an agent who names an unknown category reads which there are, and which is meant; a key’s answer stays', async () => {
  const service = await startTestService();
  const { sandbox } = await service.organization();
  const gifts = (category: string) => [
    { ...linkGift(), category: 'books' },
    { ...linkGift(), category },
  ];
  const messageOf = async (category: string) =>
    (await explainCategory(service.service.deps, { gifts: gifts(category) } as OrderInputBody, 1, undefined)).message;
  const { body } = await sandbox.order(gifts('cofee'));
  assert.equal(body.error.message, 'gifts[1].category is not a category of the catalog.');
  const unknown = 'gifts[1].category is not a category of the catalog.';
  const listed = 'The categories are: coffee, books, travel.';
  assert.equal(await messageOf('cofee'), `${unknown} Did you mean coffee? ${listed}`);
  assert.equal(await messageOf('Books'), `${unknown} Did you mean books? ${listed}`);
  assert.equal(await messageOf('something else'), `${unknown} ${listed}`);
  await service.sql(`update categories set retired_at = now() where category_id = 'coffee'`);
  assert.equal(await messageOf('cofee'), `${unknown} The categories are: books, travel.`);
  for (let n = 0; n < 20; n += 1) await service.addCategory(`more-${n}`);
  assert.equal(await messageOf('something else'), `${unknown} GET /v1/categories lists all 22.`);
});

test('only a slip of an id suggests another', () => {
  const ids = ['coffee', 'books', 'any'];
  assert.deepEqual(
    ['cofffe', 'bokks', 'an', 'tea', '', 'c', 'x'.repeat(10_000)].map((given) => closestOf(given, ids)),
    ['coffee', 'books', 'any', undefined, undefined, undefined, undefined],
  );
});
